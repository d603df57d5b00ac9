import { beforeAll, describe, expect, it } from 'vitest';
import { NO_TIME } from '../../src/engine/replay.ts';
import { eventKey } from '../../src/domain/events.ts';
import { recordIn } from '../../src/engine/turn-record.ts';
import { decideAgain, recordDay, type RecordedDay, withByte, withPrice } from '../support/recorded-day.ts';

describe('a recorded run with a lost stream, a kill and fills', () => {
  let day: RecordedDay;

  beforeAll(async () => {
    day = await recordDay(1, 240);
  });

  it('repeats itself when it is decided again from its turns', async () => {
    expect([day.reconnects, day.kills]).toEqual([1, 1]);
    expect(day.fills).toBeGreaterThan(19);
    const { turns, decisions, changed, differences } = await decideAgain(day);
    expect([changed, differences]).toEqual([null, []]);
    expect(turns).toBe(day.lines.length);
    expect(decisions).toBeGreaterThan(turns / 2);
  });

  it('numbers its turns without a gap, each with its instant', () => {
    const turns = day.lines.map((line) => recordIn(line).turn);
    expect(turns.map(({ seq }) => seq)).toEqual(turns.map((_, index) => index + 1));
    const instants = turns.map(({ monotonicMs }) => monotonicMs);
    expect(instants).toEqual(instants.toSorted((a, b) => a - b));
  });

  it.each([0.1, 0.5, 0.9])('reports one changed byte at its turn, at %d of the run', async (part) => {
    const at = Math.floor(day.lines.length * part);
    const lines = day.lines.with(at, withByte(day.lines[at] as string));
    expect((await decideAgain({ ...day, lines })).changed).toBe(at + 1);
  });

  it('differs, in the turn and for the event, when one price was different', async () => {
    const { lines, seq, event } = withPrice(day.lines);
    const [first] = (await decideAgain({ ...day, lines })).differences;
    expect([first?.seq, first?.event]).toEqual([seq, eventKey(event)]);
  });

  it('differs when the parameters of the strategy were different', async () => {
    const { strategy } = day.config;
    const parameters = { ...(strategy.parameters as object), stake: 31 };
    const config = { ...day.config, strategy: { ...strategy, parameters } };
    expect((await decideAgain({ ...day, config })).differences.length).toBeGreaterThan(0);
  });
});

it('repeats a run of several strategies, with the same owners', async () => {
  const strategies = [
    { name: 'inventory', as: 'tennis', match: { sports: ['tennis'] } },
    { name: 'inventory', match: { inPlay: true, minLiquidityUsdt: 100 } },
    { name: 'symmetric' },
  ];
  const day = await recordDay(2, 120, { daemon: { strategies, maxSelections: 6 } });
  const owners = new Set(day.owners);
  expect(owners.size).toBeGreaterThan(1);
  const { turns, changed, differences } = await decideAgain(day);
  expect([turns, changed, differences]).toEqual([day.lines.length, null, []]);
});

it.each(['wallMs', 'monotonicMs', 'after'] as const)('has no %s outside of a turn', (reading) => {
  expect(() => NO_TIME[reading](0, () => undefined)).toThrow('reads a clock outside of a turn');
});
