import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/lib/time.ts';
import { DEFAULT_ORDER_OPTIONS, orderOptions, type OrderOptions } from '../../src/orders/options.ts';

/** A field of an options interface, with the default that its comment tells. */
interface Told {
  readonly group: string;
  readonly name: string;
  readonly fallback: string;
}

const GROUPS: Readonly<Record<string, string>> = {
  OrderOptions: '',
  HeartbeatOptions: 'heartbeat.',
  BetslipOptions: 'betslips.',
  CloseOutOptions: 'closeOut.',
  JournalOptions: 'journal.',
};

/** The comments of the options, in their order. */
function told(): readonly Told[] {
  const text = readFileSync(new URL('../../src/orders/options.ts', import.meta.url), 'utf8');
  return [...text.matchAll(/export interface (\w+) \{\n([\s\S]*?)\n\}/g)].flatMap(
    ([, group = '', body = '']) =>
      [...body.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s+readonly (\w+)/g)].map(
        ([, comment = '', name = '']) => {
          const words = comment.replaceAll(/\s*\n\s*\*\s*/g, ' ');
          const [, fallback = ''] = /Default\s+(`[\w-]+`|-?[\d,.]*\d)/.exec(words) ?? [];
          return { group, name, fallback: fallback.replaceAll(/[`,]/g, '') };
        },
      ),
  );
}

/** The leaves of the options by their dotted names. */
function leaves(options: OrderOptions): ReadonlyMap<string, unknown> {
  const entries = Object.entries(options).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).map(([key, leaf]): [string, unknown] => [`${name}.${key}`, leaf])
      : [[name, value] as [string, unknown]],
  );
  return new Map(entries);
}

/** Defaults that their comments tell in another unit than their fields hold. */
const IN_OTHER_UNITS: Readonly<Record<string, number>> = {
  minStakeMicros: 1_000_000,
  'journal.retentionMs': 30 * DAY_MS,
};

describe('the defaults of the order manager', () => {
  const defaults = leaves(DEFAULT_ORDER_OPTIONS);

  it.each([...defaults])('has for %s the value that its comment tells: %s', (name, value) => {
    const [each] = told().filter(({ group, name: field }) => `${GROUPS[group]}${field}` === name);
    expect(each?.fallback).not.toBe('');
    expect(String(value)).toBe(String(IN_OTHER_UNITS[name] ?? each?.fallback));
  });
});

describe('given options', () => {
  it('replace their defaults, and no others, in every group', () => {
    for (const [name, value] of leaves(DEFAULT_ORDER_OPTIONS)) {
      const other = typeof value === 'number' ? value + 1 : 'other';
      const [first = '', second] = name.split('.');
      const given = second === undefined ? { [first]: other } : { [first]: { [second]: other } };
      const changed = new Map(leaves(DEFAULT_ORDER_OPTIONS)).set(name, other);
      expect(leaves(orderOptions(given as Partial<OrderOptions>))).toEqual(changed);
    }
  });
});
