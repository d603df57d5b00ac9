import { expect, it } from 'vitest';
import { ADMIN_COMMAND, audited } from '../../../src/app/admin/audit.ts';
import { TouchlineError } from '../../../src/domain/errors.ts';
import { eventId, sport } from '../../../src/domain/ids.ts';
import type { HedgeControls, PaperResultWish } from '../../../src/ops/commands/controls.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import { controlsWith } from '../../support/admin-serving.ts';

it('writes a hedge that was made to the journal, with its author and reason, and no preview', () => {
  const written: unknown[] = [];
  // As in a daemon: an object of a class, which has its methods from that.
  const hedge = new (class implements HedgeControls {
    preview(): unknown {
      return { plan: 'p' };
    }
    make(plan: string): unknown {
      return plan === 'p' ? { plan } : null;
    }
    progress(plan: string): unknown {
      return { plan, isOver: false };
    }
  })();
  const journal = { append: (records: readonly unknown[]) => void written.push(...records) };
  const controls = audited(controlsWith({ hedge }), journal as never, silentLogger);

  expect(controls.hedge.preview({ event: 'A v B', boundUsdt: 5 })).toEqual({ plan: 'p' });
  expect(controls.hedge.progress('p')).toEqual({ plan: 'p', isOver: false });
  controls.hedge.make('unknown', 'x', 'anna');
  expect(written).toEqual([]);

  expect(controls.hedge.make('p', 'a red grid', 'anna')).toEqual({ plan: 'p' });
  expect(written).toEqual([
    { kind: ADMIN_COMMAND, uuid: null, data: { command: 'hedge p', by: 'anna', reason: 'a red grid' } },
  ]);
});

it('writes what a person wants of an event to the journal, with its end, and nothing for an event that is not known', () => {
  const written: { data: { command: string } }[] = [];
  const journal = { append: (records: readonly never[]) => void written.push(...records) };
  const adjust = {
    adjust: ({ event }: { event: string }) => (event === 'A v B' ? {} : null),
    loosens: () => false,
  };
  const controls = audited(controlsWith({ adjust, setState: () => ({}) }), journal as never, silentLogger);
  const wish = { event: 'A v B', reason: 'late news' };

  controls.adjust.adjust({ ...wish, stakeFactor: 0.5, minutes: 15 }, 'anna');
  controls.adjust.adjust({ ...wish, leave: true, untilStart: true }, 'anna');
  controls.adjust.adjust({ ...wish, leave: false }, 'anna');
  controls.adjust.adjust({ ...wish, widenTicks: 3 }, 'anna');
  controls.adjust.adjust({ ...wish, event: 'C v D', widenTicks: 3 }, 'anna');
  controls.setState({ ...wish, state: 'halted', minutes: 60 }, 'anna');
  expect(written.map(({ data }) => data)).toEqual(
    [
      'stake x 0.5 of A v B for 15 min',
      'leave of A v B until the start',
      'end leave of A v B',
      'widen 3 of A v B',
      'state halted of A v B for 60 min',
    ].map((command) => ({ command, by: 'anna', reason: 'late news' })),
  );
});

it('writes quotes of a person, their moves and their ends to the journal', () => {
  const written: { data: { command: string } }[] = [];
  const journal = { append: (records: readonly never[]) => void written.push(...records) };
  const hand = {
    quote: () => ({}),
    move: (id: string) => (id === 'q' ? {} : null),
    withdraw: (id: string) => (id === 'q' ? {} : null),
    quotes: () => [],
  };
  const controls = audited(controlsWith({ hand }), journal as never, silentLogger);
  const wish = { selection: 'A', direction: 'for', price: 2.1, stakeUsdt: 7, reason: 'my view' } as const;
  controls.hand.quote({ ...wish, minutes: 5 }, 'anna');
  controls.hand.move('q', 2.12, 'better', 'anna');
  controls.hand.move('unknown', 2.12, 'better', 'anna');
  controls.hand.withdraw('q', 'enough', 'anna');
  controls.hand.withdraw('unknown', 'enough', 'anna');
  expect(written.map(({ data }) => data)).toEqual([
    { command: 'quote 7 for A at 2.1 for 5 min', by: 'anna', reason: 'my view' },
    { command: 'move quote q to 2.12', by: 'anna', reason: 'better' },
    { command: 'withdraw quote q', by: 'anna', reason: 'enough' },
  ]);
});

it('writes the result that settles paper bets to the journal, and nothing if it is refused', () => {
  const written: { data: unknown }[] = [];
  const journal = { append: (records: readonly never[]) => void written.push(...records) };
  const event = { sport: sport('fb'), eventId: eventId('2026-03-01,1,2') };
  const settlePaper = ({ told }: PaperResultWish): unknown => {
    if (told.kind === 'winner') throw new TouchlineError('refused', 'does not decide the bets');
    return { settles: ['for,h'] };
  };
  const controls = audited(controlsWith({ settlePaper }), journal as never, silentLogger);

  const score = { kind: 'score', home: 2, away: 1 } as const;
  expect(controls.settlePaper({ ...event, told: score, note: 'the page' }, 'anna')).toEqual({
    settles: ['for,h'],
  });
  controls.settlePaper({ ...event, told: { kind: 'void' }, note: '' }, 'anna');
  const refused = { ...event, told: { kind: 'winner', teamId: 7 }, note: '' } as const;
  expect(() => controls.settlePaper(refused, 'anna')).toThrow('does not decide');
  expect(written.map(({ data }) => data)).toEqual([
    { command: 'paper settle fb/2026-03-01,1,2 2-1', by: 'anna', reason: 'the page' },
    { command: 'paper settle fb/2026-03-01,1,2 void', by: 'anna', reason: '' },
  ]);
});
