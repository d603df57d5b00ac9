import { expect, it } from 'vitest';
import { DIRECTIONS } from '../../src/domain/selection.ts';
import { CalmDay } from '../support/calm-day.ts';

interface Why {
  readonly reason: Readonly<Record<string, string | null>>;
  readonly verdicts: readonly { readonly message: string }[];
}

const whyOf = ({ controls }: CalmDay): readonly Why[] => controls.why(null) as readonly Why[];

/** The journal’s records of owners, oldest first. */
const ownersWritten = ({ world }: CalmDay): readonly unknown[] =>
  world.disk.store.records.filter(({ kind }) => kind === 'event_owned').map(({ data }) => data);

it('records the owner of each quoted event once, also over a restart', async () => {
  const day = new CalmDay();
  await day.begin();
  const quoted = new Set(day.open().map(({ eventId }) => eventId));
  const written = ownersWritten(day);
  const events = [...quoted].map((eventId) => ({ event: { sport: 'fb', eventId }, owner: 'symmetric' }));
  expect(written).toEqual(expect.arrayContaining(events));
  expect(written).toHaveLength(events.length);
  await day.crash();
  await day.begin();
  expect(ownersWritten(day)).toEqual(written);
});

it('closes orders of a strategy that no longer runs, quotes nothing for it, and reports that', async () => {
  const day = new CalmDay();
  await day.begin();
  day.world.kill();
  day.useStrategy('inventory');
  expect(day.open().length).toBeGreaterThan(1);
  await day.begin(false);
  await day.pass(5_000);
  expect([day.open(), day.creates()]).toEqual([[], 0]);
  const why = whyOf(day);
  expect(why.length).toBeGreaterThan(0);
  for (const { reason, verdicts } of why) {
    expect(DIRECTIONS.map((direction) => reason[direction])).toEqual(Array(2).fill('strategy.owner_absent'));
    expect(verdicts[0]?.message).toContain('belongs to the strategy symmetric until it is settled');
  }
});

it('quotes again when the owner runs again', async () => {
  const day = new CalmDay();
  await day.begin();
  await day.crash();
  day.useStrategy('inventory');
  await day.begin(false);
  await day.pass(5_000);
  await day.crash();
  day.useStrategy('symmetric');
  await day.begin();
  expect(day.open().length).toBeGreaterThan(1);
});
