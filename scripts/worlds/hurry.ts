/**
 * Preloaded into a process (`node --import`): its time runs `WORLDS_SPEED` times faster from the instant `WORLDS_BASE_MS` on. Every clock
 * and timer of the process is hurried alike, so the program is the usual one. What the machine itself needs, for a computation or a
 * packet, takes the same real time and so lasts longer in hurried time: nothing is flattered.
 */
import os from 'node:os';
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';

const speed = Number(process.env['WORLDS_SPEED'] ?? 1);
const baseMs = Number(process.env['WORLDS_BASE_MS'] ?? 0);

if (speed !== 1) {
  const RealDate = Date;
  const now = (): number => Math.round(baseMs + (RealDate.now() - baseMs) * speed);
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args: readonly unknown[], newTarget: typeof RealDate) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as Date,
    apply: () => new RealDate(now()).toString(),
    get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
  });
  const readMs = performance.now.bind(performance);
  performance.now = () => readMs() * speed;
  const upS = os.uptime.bind(os);
  os.uptime = () => upS() * speed;
  syncBuiltinESMExports();
  hurryTimer('setTimeout');
  hurryTimer('setInterval');
}

function hurryTimer(name: 'setTimeout' | 'setInterval'): void {
  const real = globalThis[name] as (run: () => void, delayMs?: number, ...args: unknown[]) => NodeJS.Timeout;
  const hurried = (run: () => void, delayMs = 0, ...args: unknown[]): NodeJS.Timeout =>
    real(run, delayMs / speed, ...args);
  // Node keeps the promise form of a timer as a property of it.
  Object.assign(globalThis, {
    [name]: Object.defineProperties(hurried, Object.getOwnPropertyDescriptors(real)),
  });
}
