import crypto from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import process from 'node:process';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';

export type EscapeKind = 'timer' | 'clock' | 'randomness' | 'network' | 'files';

/** A use of the outside world by code that should not use it. */
export interface Escape {
  readonly kind: EscapeKind;
  /** The function, as an author writes it: `Date.now()`. */
  readonly what: string;
  readonly stack: string;
}

type Anything = (...args: unknown[]) => unknown;
type Owner = Record<string, unknown>;

interface Row {
  readonly kind: EscapeKind;
  readonly owner: object;
  readonly names: readonly string[];
  /** Replaces the call; by default the real function runs. */
  readonly instead?: (real: Anything) => unknown;
  /** Before the names in messages. */
  readonly prefix?: string;
}

/** Monotonic milliseconds, also while traps are set. */
export const untrappedMs = performance.now.bind(performance);

const never = (): Promise<never> => new Promise(() => void 0);
const refuse = (): never => {
  throw new Error('a strategy has no network');
};
/** A handle of the right type whose timer never does anything. */
const idleTimer =
  (clear: (handle: never) => void) =>
  (real: Anything): unknown => {
    const handle = real(() => undefined, 0);
    clear(handle as never);
    return handle;
  };

const TIMERS = ['setTimeout', 'setInterval'];
const RANDOM = ['randomUUID', 'randomBytes', 'randomInt', 'randomFillSync'];
const FILES = [
  'readFileSync',
  'readFile',
  'writeFileSync',
  'writeFile',
  'appendFileSync',
  'appendFile',
  'openSync',
];

const ROWS: readonly Row[] = [
  { kind: 'timer', owner: globalThis, names: TIMERS, instead: idleTimer(clearTimeout) },
  { kind: 'timer', owner: timers, names: TIMERS, instead: idleTimer(clearTimeout) },
  { kind: 'timer', owner: globalThis, names: ['setImmediate'], instead: idleTimer(clearImmediate) },
  { kind: 'timer', owner: timers, names: ['setImmediate'], instead: idleTimer(clearImmediate) },
  { kind: 'timer', owner: timersPromises, names: [...TIMERS, 'setImmediate'], instead: never },
  { kind: 'clock', owner: Date, names: ['now'], prefix: 'Date.' },
  { kind: 'clock', owner: performance, names: ['now'], prefix: 'performance.' },
  { kind: 'clock', owner: process.hrtime, names: ['bigint'], prefix: 'process.hrtime.' },
  { kind: 'clock', owner: process, names: ['hrtime', 'uptime'], prefix: 'process.' },
  { kind: 'randomness', owner: Math, names: ['random'], prefix: 'Math.' },
  { kind: 'randomness', owner: crypto, names: RANDOM, prefix: 'crypto.' },
  {
    kind: 'randomness',
    owner: globalThis.crypto,
    names: ['randomUUID', 'getRandomValues'],
    prefix: 'crypto.',
  },
  { kind: 'network', owner: globalThis, names: ['fetch'], instead: never },
  { kind: 'network', owner: http, names: ['request', 'get'], prefix: 'http.', instead: refuse },
  { kind: 'network', owner: https, names: ['request', 'get'], prefix: 'https.', instead: refuse },
  { kind: 'network', owner: net, names: ['connect', 'createConnection'], prefix: 'net.', instead: refuse },
  { kind: 'files', owner: fs, names: FILES, prefix: 'fs.' },
];

type State = 'idle' | 'noting' | 'holding';

/** Stacks are expensive, and further uses of a function rarely come from another place. */
const MOST_STACKS = 100;

/** Enough frames to reach the author's code below the operators of a stream. */
const STACK_FRAMES = 60;

/**
 * Notes each use of real time, timers, randomness, network and files. While it holds, timers that are set never run, and nothing
 * reaches the network. Dispose it to restore everything.
 */
export class Traps implements Disposable {
  readonly #escapes = new Map<string, Escape>();
  readonly #restore: (() => void)[] = [];
  readonly #times = new Map<string, number>();
  #state: State = 'idle';

  constructor() {
    for (const row of ROWS) for (const name of row.names) this.#set(row, name);
    this.#setDate();
    syncBuiltinESMExports();
  }

  /** Each different use since the last call, in order. */
  takeEscapes(): readonly Escape[] {
    const escapes = [...this.#escapes.values()];
    this.#escapes.clear();
    this.#times.clear();
    return escapes;
  }

  /** Notes what happens until the promise of the work settles. Everything works as usual, because others may run meanwhile. */
  async note<T>(work: () => Promise<T>): Promise<T> {
    const end = this.#begin('noting');
    try {
      return await work();
    } finally {
      end();
    }
  }

  /** Notes what happens in the work, and replaces what must not happen. */
  hold<T>(work: () => T): T {
    const end = this.#begin('holding');
    try {
      return work();
    } finally {
      end();
    }
  }

  #begin(state: Exclude<State, 'idle'>): () => void {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = STACK_FRAMES;
    this.#state = state;
    return () => {
      this.#state = 'idle';
      Error.stackTraceLimit = stackTraceLimit;
    };
  }

  [Symbol.dispose](): void {
    for (const restore of this.#restore.reverse()) restore();
    syncBuiltinESMExports();
  }

  #set({ kind, owner, prefix = '', instead }: Row, name: string): void {
    const holder = owner as Owner;
    const descriptor = Object.getOwnPropertyDescriptor(holder, name);
    const real = holder[name] as Anything;
    const what = `${prefix}${name}()`;
    const isHeld = (): boolean => {
      this.#note(kind, what);
      return this.#state === 'holding';
    };
    const trapped = function (this: unknown, ...args: unknown[]): unknown {
      return isHeld() && instead !== undefined
        ? instead((...given) => Reflect.apply(real, this, given))
        : Reflect.apply(real, this, args);
    };
    Object.defineProperty(holder, name, {
      value: Object.assign(trapped, real),
      configurable: true,
      writable: true,
      enumerable: true,
    });
    this.#restore.push(() => {
      if (descriptor === undefined) Reflect.deleteProperty(holder, name);
      else Object.defineProperty(holder, name, descriptor);
    });
  }

  /** `new Date()` and `Date()` read the clock too. */
  #setDate(): void {
    const Real = Date;
    const note = (what: string): void => this.#note('clock', what);
    globalThis.Date = new Proxy(Real, {
      construct(target, args, newTarget) {
        if (args.length === 0) note('new Date()');
        return Reflect.construct(target, args, newTarget) as object;
      },
      apply(target, self, args) {
        note('Date()');
        return Reflect.apply(target, self, args) as string;
      },
    });
    this.#restore.push(() => (globalThis.Date = Real));
  }

  #note(kind: EscapeKind, what: string): void {
    const times = this.#times.get(what) ?? 0;
    if (this.#state === 'idle' || times >= MOST_STACKS) return;
    this.#times.set(what, times + 1);
    const stack = new Error().stack ?? '';
    const key = `${what} ${stack}`;
    if (!this.#escapes.has(key)) this.#escapes.set(key, { kind, what, stack });
  }
}
