import { describe, expect, it } from 'vitest';
import { LogMemory } from '../../src/ops/log-memory.ts';

const START_MS = Date.parse('2026-01-31T20:47:00.000Z');

/** A line as the logger writes it, so many seconds after 20:47. */
const aLine = (afterS: number, msg: string, level = 'info', fields: object = {}): string =>
  JSON.stringify({ level, time: new Date(START_MS + 1_000 * afterS).toISOString(), ...fields, msg });

const messages = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => (JSON.parse(line) as { readonly msg: string }).msg);

const ALL = { find: '', level: 'debug', limit: 1_000 } as const;

describe('the memory of the log', () => {
  it('finds a minute an hour later, at ten and more lines a second', () => {
    const memory = new LogMemory();
    for (let i = 0; i < 11 * 3_600; i++)
      memory.push(aLine(i / 11, `order ${i}`, 'info', { pad: 'x'.repeat(250) }));
    expect(memory.tail()).toHaveLength(300);
    // The seconds of 21:20:47 are found, too.
    const found = messages(memory.find({ ...ALL, find: '20:47' })).slice(0, 660);
    expect(found).toEqual(Array.from({ length: 660 }, (_, i) => `order ${i}`));
  });

  it.each([
    ['REFUSED', ['the order was refused']],
    ['reason=no room', ['the order was refused']],
    ['20:47:09', ['killed']],
    ['(a+b)', ['odd (a+b)']],
    ['no such', []],
  ])('finds "%s"', (find, expected) => {
    const memory = new LogMemory();
    memory.push(aLine(1, 'the order was refused', 'info', { reason: 'no room' }));
    memory.push(aLine(9, 'killed', 'warn'));
    memory.push(aLine(10, 'odd (a+b)'));
    expect(messages(memory.find({ ...ALL, find }))).toEqual(expected);
  });

  it('finds from a level on, the newest first of too many', () => {
    const memory = new LogMemory();
    ['info', 'warn', 'error', 'fatal'].forEach((level, i) => memory.push(aLine(i, level, level)));
    expect(messages(memory.find({ ...ALL, level: 'warn' }))).toEqual(['warn', 'error', 'fatal']);
    expect(messages(memory.find({ ...ALL, limit: 2 }))).toEqual(['error', 'fatal']);
  });

  it('keeps warnings and commands of persons longest, in their order', () => {
    const memory = new LogMemory({ lines: 3, bytes: 1e6 }, { lines: 2, bytes: 1e6 });
    memory.push(aLine(0, 'too old', 'warn'));
    memory.push(aLine(1, 'operator command', 'info', { logEvent: 'operator_command' }));
    memory.push(aLine(2, 'bad', 'error'));
    for (let i = 0; i < 9; i++) memory.push(aLine(3 + i, `${i}`));
    expect(messages(memory.find(ALL))).toEqual(['operator command', 'bad', '6', '7', '8']);
    expect(messages(memory.tail())).toEqual(['6', '7', '8']);
  });

  it('is bounded in bytes', () => {
    const memory = new LogMemory({ lines: 1_000, bytes: 1_000 }, { lines: 1_000, bytes: 500 });
    for (let i = 0; i < 2_000; i++) memory.push(aLine(i, `${i}`, i % 2 === 0 ? 'warn' : 'info'));
    expect(memory.find(ALL).join('').length).toBeLessThanOrEqual(1_500);
    expect(messages(memory.find(ALL)).at(-1)).toBe('1999');
  });
});
