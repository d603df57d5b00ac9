/**
 * Loaded into a daemon before anything else (`node --import`): kills its own process, as kill -9 would, at a named point.
 * `KILL_AT` names the point, `KILL_AFTER` how often it passes unharmed first. The product knows nothing of it.
 */
import { DatabaseSync } from 'node:sqlite';
import { Socket } from 'node:net';

const point = process.env['KILL_AT'] ?? '';
let left = Number(process.env['KILL_AFTER'] ?? 0);

function reached(name: string): void {
  if (name === point && left-- <= 0) process.kill(process.pid, 'SIGKILL');
}

const exec = DatabaseSync.prototype.exec;
DatabaseSync.prototype.exec = function patchedExec(this: DatabaseSync, sql: string): void {
  if (sql === 'COMMIT') reached('before-commit');
  exec.call(this, sql);
  if (sql === 'COMMIT') reached('after-commit');
};

/** Requests by their first line. */
const REQUESTS: readonly (readonly [string, RegExp])[] = [
  ['create', /^POST \/v2\/orders\/ /],
  ['close', /^POST \/v2\/orders\/\d+\/close\/ /],
  ['betslip', /^POST \/v2\/betslips\/ /],
  ['heartbeat', /^POST \/v2\/heartbeats\/ /],
  ['heartbeat-list', /^GET \/v2\/heartbeats\/ /],
  ['updates', /^GET \/v2\/orders\/updates\//],
  ['listing', /^GET \/v2\/orders\/\?/],
  ['lookup', /^GET \/v2\/orders\/(tracked\/|\d)/],
];

const write = Socket.prototype.write;
Socket.prototype.write = function patchedWrite(this: Socket, ...args: unknown[]): boolean {
  const text = String(args[0]).slice(0, 200);
  const name = REQUESTS.find(([, line]) => line.test(text))?.[0];
  if (name !== undefined) reached(`before-${name}`);
  const done = Reflect.apply(write, this, args) as boolean;
  // The bytes are with the operating system once the loop turns.
  if (name !== undefined) setImmediate(() => reached(`after-${name}`));
  return done;
} as typeof write;

const emit = Socket.prototype.emit;
Socket.prototype.emit = function patchedEmit(
  this: Socket,
  event: string | symbol,
  ...args: unknown[]
): boolean {
  if (event === 'data' && String(args[0]).includes('"placement_time"')) reached('at-answer');
  return Reflect.apply(emit, this, [event, ...args]) as boolean;
} as typeof emit;

export const KILL_POINTS: readonly string[] = [
  ...['before-commit', 'after-commit', 'at-answer'],
  ...REQUESTS.flatMap(([name]) => [`before-${name}`, `after-${name}`]),
];
