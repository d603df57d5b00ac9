import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { KillPoint } from './schedule.ts';

const MAIN = new URL('../../src/cli/main.ts', import.meta.url).pathname;
const KILL_POINTS = new URL('./kill-points.ts', import.meta.url).href;

/** The exchange as a process of its own. */
export interface SimProcess {
  readonly rest: string;
  readonly stream: string;
  /** `GET /sim/<what>`, parsed. */
  truth<T>(what: string): Promise<T>;
  stop(): Promise<void>;
}

/** Betslips of the last few dead runs stay open for 45 s more. A new run finds places beside them. */
const OPEN_BETSLIPS = 60;

export async function startSim(seed: number): Promise<SimProcess> {
  const options = ['--seed', String(seed), '--open-betslips', String(OPEN_BETSLIPS)];
  const child = spawn(process.execPath, [MAIN, 'sim', ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, 'line')) as [string];
  const { rest, stream, control } = JSON.parse(line) as Record<string, string>;
  return {
    rest: rest as string,
    stream: stream as string,
    truth: async <T>(what: string): Promise<T> => {
      const answer = await fetch(new URL(what, control));
      const { data } = (await answer.json()) as { data: T };
      return data;
    },
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** Writes the configuration of a daemon that quotes on that exchange and journals in `folder`. */
export function writeConfig(folder: string, sim: SimProcess): string {
  const path = join(folder, 'config.toml');
  writeFileSync(
    path,
    `mode = "simulated"
[exchange]
restUrl = "${sim.rest}"
streamUrl = "${sim.stream}"
[strategy]
name = "symmetric"
[universe]
marketTypes = ["wdw", "ah", "ou"]
startWithinMinutes = 1440
maxEvents = 3
maxSelections = 4
[orders]
durationS = ${DURATION_S}
heartbeatTimeoutS = ${HEARTBEAT_S}
[journal]
path = "${join(folder, 'journal.sqlite')}"
[ops]
port = 0
[admin]
port = 0
`,
  );
  return path;
}

export const HEARTBEAT_S = 10;
export const DURATION_S = 30;

export interface DaemonProcess {
  readonly child: ChildProcess;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  /** Resolves once the process has written this. Rejects when it ends first. */
  until(text: string): Promise<void>;
  /** The last part of what the process wrote to stderr and stdout. */
  tail(): string;
}

export interface KillAt {
  readonly point: KillPoint;
  readonly after: number;
}

export function startDaemon(config: string, kill: KillAt | null): DaemonProcess {
  const hooks = kill === null ? [] : ['--import', KILL_POINTS];
  const child = spawn(process.execPath, [...hooks, MAIN, 'run', '--config', config], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      TOUCHLINE_API_KEY: 'sim-key',
      ...(kill === null ? {} : environmentOf(kill)),
    },
  });
  let output = '';
  const watchers = new Set<() => void>();
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-4_000);
    for (const watch of watchers) watch();
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const exited = once(child, 'exit').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as string | null,
  }));
  const until = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const watch = (): void => {
        if (output.includes(text)) resolve();
      };
      watchers.add(watch);
      void exited.then(() => reject(new Error(`the daemon ended before it said "${text}"`)));
      watch();
    });
  return { child, exited, until, tail: () => output };
}

const environmentOf = ({ point: { at, phase }, after }: KillAt): NodeJS.ProcessEnv => ({
  KILL_AT: at,
  KILL_AFTER: String(after),
  KILL_WHEN: phase,
});
