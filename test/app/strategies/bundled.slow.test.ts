import { describe, expect, it } from 'vitest';
import { checkStrategy } from '../../../src/app/strategies/check/check.ts';
import { BUNDLED_STRATEGIES } from '../../../src/strategy/loader.ts';

describe('the check of a bundled strategy', () => {
  it.each(BUNDLED_STRATEGIES)('finds no fault in %s', async (name) => {
    const found = [];
    // `npm run check` compiles all of them at once; a compiler for each takes most of a minute.
    for await (const finding of checkStrategy(name, { types: () => [] })) found.push(finding);
    // How long calls take depends on what else the machine does.
    const others = found.filter(({ check }) => check !== 'speed');
    expect(others.filter(({ state }) => state !== 'ok')).toEqual([]);
    expect(others).toHaveLength(7);
  });
});
