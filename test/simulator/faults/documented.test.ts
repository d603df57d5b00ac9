import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { FAULT_KINDS } from '../../../src/simulator/faults/schema.ts';
import { ExchangeHost } from '../../../src/simulator/host/exchange-host.ts';
import { Control } from '../../../src/simulator/server/control.ts';
import { FakeCore } from '../host/fake-core.ts';

const page = readFileSync('docs/faults.md', 'utf8');

describe('docs/faults.md', () => {
  it('describes every kind of fault, and no other', () => {
    const rows = [...page.matchAll(/^\|(?: `[a-z.<>]+` +\|)? `([a-z_]+)` +\|/gm)].map(([, kind]) => kind);
    const fields = ['at', 'for_s', 'times', 'skip', 'probability', 'every_s'];
    expect(rows.filter((kind) => kind !== undefined && !fields.includes(kind)).toSorted()).toEqual(
      FAULT_KINDS.toSorted(),
    );
  });

  it('names every verb of the control interface', () => {
    const host = new ExchangeHost({ core: new FakeCore(), clock: new VirtualClock() });
    const { body } = new Control(host).answer('GET', '/sim/nothing', '');
    const { known } = (JSON.parse(body) as { data: { known: string[] } }).data;
    for (const verb of known) {
      const [method, name] = verb.split(' ');
      expect(page, verb).toMatch(new RegExp(`${method} /sim/(${name}|suspend\`, \`${name})\``));
    }
  });
});
