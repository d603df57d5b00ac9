import { describe, expect, it } from 'vitest';
import { ambientUses } from './ambient.ts';
import { parse, PRODUCT_MODULES, read } from './project.ts';

/** The one place at which the outside world's time and chance enter. */
const ADAPTERS = /^src\/(app|web)\/adapters\//;

const PLANTED = [
  'const t = Date.now();',
  'const t = new Date();',
  'const t = new Date;',
  'const t = Date();',
  'const { now } = Date;',
  'const clock = Date;',
  'const f = { read: Date.now };',
  'const x = Math.random();',
  "const x = Math['random']();",
  'const { random } = Math;',
  'const x = globalThis.Math.random();',
  'setTimeout(run, 5);',
  'const start = setInterval;',
  'globalThis.setTimeout(run, 5);',
  'setImmediate(run);',
  "import { setTimeout as sleep } from 'node:timers/promises';",
  "import timers from 'node:timers';",
  "import { performance as p } from 'node:perf_hooks';",
  "const timers = await import('node:timers');",
  "import { randomUUID } from 'node:crypto';",
  'const id = crypto.randomUUID();',
  'crypto.getRandomValues(bytes);',
  'const t = performance.now();',
  'const t = globalThis.performance.now();',
  'const t = process.hrtime.bigint();',
  'const t = process.uptime();',
  'const signal = AbortSignal.timeout(100);',
  'const t = Temporal.Now.instant();',
  "import { timer } from 'rxjs'; const t$ = timer(100);",
  "import { debounceTime as settle } from 'rxjs'; const op = settle(100);",
  "import { asyncScheduler } from 'rxjs';",
];

const ALLOWED = [
  'const t = new Date(ms).toISOString();',
  "const t = Date.parse('2024-01-01');",
  'const t = Date.UTC(2024, 0, 1);',
  'const isDate = x instanceof Date;',
  'let when: Date;',
  'queueMicrotask(run);',
  'const x = Math.floor(random.next());',
  '// Date.now() and setTimeout() are banned here',
  "const text = 'setTimeout(run, 5)';",
  'const stats = { performance: 1 };',
  "import { timer } from 'rxjs'; const t$ = timer(100, scheduler);",
  "import { timeout } from 'rxjs'; const op = timeout({ each: 5, scheduler: clockScheduler });",
  'const timer = clock.after(5, run); timer(5);',
];

describe('time, timers and randomness', () => {
  it.each(PLANTED)('finds %s', (text) => {
    expect(ambientUses(parse('planted.ts', text))).not.toEqual([]);
  });

  it.each(ALLOWED)('lets %s pass', (text) => {
    expect(ambientUses(parse('allowed.ts', text))).toEqual([]);
  });

  it('come from ports everywhere but in their adapters', () => {
    const watched = PRODUCT_MODULES.filter((file) => !ADAPTERS.test(file));
    expect(watched.length).toBeGreaterThan(20);
    expect(watched.flatMap((file) => ambientUses(parse(file, read(file))))).toEqual([]);
  });

  it('occur in the adapters, which shows that the search finds them', () => {
    const adapters = PRODUCT_MODULES.filter((file) => ADAPTERS.test(file));
    expect(adapters.flatMap((file) => ambientUses(parse(file, read(file))))).not.toEqual([]);
  });
});
