import fc from 'fast-check';
import { expect, it } from 'vitest';
import { eventId, sport } from '../../../src/domain/ids.ts';
import { DIRECTIONS, selectionId } from '../../../src/domain/selection.ts';
import { QuoteLines } from '../../../src/research/replay/quote-lines.ts';

const EVENTS = ['1', '2'].map((id) => ({ sport: sport('fb'), eventId: eventId(`2026-01-03,${id},9`) }));

const target = fc
  .record({
    outcome: fc.constantFrom('h', 'a'),
    direction: fc.constantFrom(...DIRECTIONS),
    level: fc.constantFrom(0, 1),
    tick: fc.constantFrom(50, 51),
    stakeMicros: fc.constantFrom(5e6, 6e6),
  })
  .map(({ outcome, ...rest }) => ({ ...rest, selectionId: selectionId(sport('fb'), eventId('x'), outcome) }));

const note = fc.record({
  event: fc.constantFrom(...EVENTS),
  afterMs: fc.integer({ min: 0, max: 3 }),
  targets: fc.uniqueArray(target, {
    maxLength: 4,
    selector: (each) => `${each.selectionId} ${each.direction} ${each.level}`,
  }),
});

it('at each instant the lines are the quotes that each event wanted last, and an unchanged quote is one line', () => {
  fc.assert(
    fc.property(fc.array(note, { minLength: 1, maxLength: 12, size: 'max' }), (notes) => {
      const lines = new QuoteLines();
      let nowMs = 0;
      const noted = notes.map((each) => ({ ...each, atMs: (nowMs += each.afterMs) }));
      for (const { event, targets, atMs } of noted) lines.note(event, targets, atMs);
      const endMs = nowMs + 2;
      const all = lines.lines(endMs);
      const shown = (
        each: Pick<(typeof all)[number], 'selectionId' | 'direction' | 'tick' | 'stakeMicros'>,
      ) => [each.selectionId, each.direction, each.tick, each.stakeMicros].join();
      for (let ms = 0.5; ms < endMs; ms++)
        for (const event of EVENTS) {
          const last = noted.findLast((each) => each.event === event && each.atMs <= ms);
          const standing = all.filter(
            (each) => each.event.eventId === event.eventId && each.fromMs <= ms && ms < each.toMs,
          );
          expect(standing.map(shown).toSorted()).toEqual((last?.targets ?? []).map(shown).toSorted());
        }
      for (const { fromMs, toMs } of all) expect(toMs).toBeGreaterThan(fromMs);
      expect(all.map(({ fromMs }) => fromMs)).toEqual(
        all.map(({ fromMs }) => fromMs).toSorted((a, b) => a - b),
      );
      // Where one line ends and another of the same quote begins, something changed, or it was withdrawn and wanted again.
      const isNotedOnce = (atMs: number, id: string): boolean =>
        noted.filter((each) => each.atMs === atMs && each.event.eventId === id).length === 1;
      for (const one of all.filter(({ toMs, event }) => isNotedOnce(toMs, event.eventId)))
        for (const other of all)
          if (one.event.eventId === other.event.eventId && one.key === other.key && one.toMs === other.fromMs)
            expect(shown(one)).not.toBe(shown(other));
    }),
  );
});
