/**
 * Loaded into a daemon before anything else (`node --import`): kills its own process, as kill -9 would, at a named
 * point. `KILL_AT` names the point. `KILL_AFTER` is the number of harmless passes before. With `KILL_WHEN=drain` passes
 * count only from SIGTERM on. The product does not know of it.
 */
import { Socket } from 'node:net';
import process from 'node:process';
import { DatabaseSync, StatementSync } from 'node:sqlite';

const point = process.env['KILL_AT'] ?? '';
let left = Number(process.env['KILL_AFTER'] ?? 0);
let armed = process.env['KILL_WHEN'] !== 'drain';
if (!armed) process.on('SIGTERM', () => void (armed = true));

function reached(name: string): void {
  if (armed && name === point && left-- <= 0) process.kill(process.pid, 'SIGKILL');
}

/** Commits, named by a kind of record that they make durable. */
const COMMITS: Readonly<Record<string, string>> = { order_intended: 'intent', checkpoint: 'checkpoint' };

const written = new Set<string>();
const run = StatementSync.prototype.run;
StatementSync.prototype.run = function patchedRun(this: StatementSync, ...values: unknown[]) {
  const name = COMMITS[String(values[2])];
  if (name !== undefined) written.add(name);
  return Reflect.apply(run, this, values) as ReturnType<typeof run>;
} as typeof run;

const exec = DatabaseSync.prototype.exec;
DatabaseSync.prototype.exec = function patchedExec(this: DatabaseSync, sql: string): void {
  const names = sql === 'COMMIT' ? ['commit', ...written] : [];
  if (sql === 'COMMIT') written.clear();
  for (const name of names) reached(`before-${name}`);
  exec.call(this, sql);
  for (const name of names) reached(`after-${name}`);
};

/** Requests by their first line. */
const REQUESTS: readonly (readonly [string, RegExp])[] = [
  ['create', /^POST \/v2\/orders\/ /],
  ['close', /^POST \/v2\/orders\/(\d+\/close|close_many)\/ /],
  ['betslip', /^POST \/v2\/betslips\/ /],
  ['heartbeat', /^POST \/v2\/heartbeats\/ /],
  ['heartbeat-refresh', /^POST \/v2\/heartbeats\/[^/]+\/refresh\/ /],
  ['heartbeat-delete', /^DELETE \/v2\/heartbeats\//],
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
  // The operating system has the bytes once the loop turns.
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
