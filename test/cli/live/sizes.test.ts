import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LADDER_COLUMNS } from '../../../src/cli/output/live/ladder.ts';
import { LiveView, showsState, type Watched } from '../../../src/cli/output/live/live-view.ts';
import { renderStatus } from '../../../src/cli/output/live/status-view.ts';
import { widthOf } from '../../../src/cli/output/live/styles.ts';
import { LADDER } from '../../../src/domain/ladder.ts';
import type { EventKey, SelectionId } from '../../../src/domain/ids.ts';
import {
  type Level,
  type LiveEvent,
  type LiveQuote,
  type LiveSelection,
  type LiveState,
  type Piece,
  PIECES,
} from '../../../src/read-model/live/message.ts';
import type { EventStatus } from '../../../src/read-model/status.ts';
import { liveEvent } from '../../support/live-event.ts';
import { aStatus } from '../../support/status.ts';

const NOW_MS = Date.UTC(2026, 0, 31, 2, 14);

const keyOf = (at: number): EventKey => `fb|2026-01-31,${at},2` as EventKey;

const quote = (direction: LiveQuote['direction'], price: number): LiveQuote => ({
  id: `${direction} ${price}`,
  direction,
  price,
  stake: 20,
  unfilled: 12.5,
  ahead: 40,
  sinceMs: NOW_MS,
  isConfirmed: true,
});

const selection = (key: EventKey, name: string, changes: Partial<LiveSelection> = {}): LiveSelection => ({
  id: `${key}|${name}` as SelectionId,
  name,
  ifWin: 3,
  ifLose: -4,
  fair: 1 / 2.36,
  market: { for: [[2.32, 80]], against: [[2.4, 1_250]] },
  quotes: [quote('against', 2.34), quote('for', 2.38)],
  restriction: null,
  byHand: [],
  missing: null,
  ...changes,
});

const statusOf = ({ key, name }: LiveEvent, selections: readonly LiveSelection[]): EventStatus => ({
  key,
  name,
  sport: 'fb',
  startsInMs: 600_000,
  inRunning: false,
  score: null,
  quoted: true,
  strategyThrows: null,
  refusedQuotes: [],
  selections: selections.map(({ id, name: outcome, ifWin, ifLose }) => ({
    selectionId: id,
    outcome,
    market: { for: 2.32, against: 2.4 },
    depth: { for: 80, against: 1_250 },
    quoted: { for: 2.38, against: 2.34 },
    stake: { for: 12.5, against: 12.5 },
    filled: { for: 0, against: 0 },
    ifWin,
    ifLose,
    missing: null,
  })),
});

interface Shown {
  readonly event: LiveEvent;
  readonly selections: readonly LiveSelection[];
}

/** What the view gets of these events; the details of those that it asks for. */
function watchedOf(all: readonly Shown[], asked: ReadonlySet<string>, log: readonly string[] = []): Watched {
  const pieces = all.flatMap(({ event, selections }): readonly Piece[] => [
    { name: PIECES.event(event.key), event: null, value: event },
    ...(asked.has(event.key)
      ? selections.map((value) => ({ name: PIECES.selection(value.id), event: event.key, value }))
      : []),
  ]);
  const state: LiveState = { atMs: NOW_MS, frameAtMs: NOW_MS, pieces };
  const events = all.map(({ event, selections }) => statusOf(event, selections));
  return { status: aStatus({ events }), state, log };
}

/** Events as a day has them; the busier, the later. */
const day = (count: number, selections = 3): readonly Shown[] =>
  Array.from({ length: count }, (_, at) => {
    const key = keyOf(at);
    const event = liveEvent(key, {
      name: `Home ${at} v Away ${at}`,
      ordersOpen: at,
      worst: -12.5,
      openStake: 25,
    });
    return {
      event,
      selections: Array.from({ length: selections }, (_each, of) => selection(key, `Goal ${of}`)),
    };
  });

const LOG_LINE = JSON.stringify({
  level: 'info',
  time: '2026-01-31T02:13:59.123Z',
  msg: 'order live',
  orderId: 275,
  selectionId: `${keyOf(5)}|Goal 1`,
  price: 2.38,
});

/** The second drawing: at the first one the view has not yet said which details it needs. */
function drawn(
  view: LiveView,
  all: readonly Shown[],
  size: { columns: number; rows: number },
  log = [LOG_LINE],
) {
  view.render(watchedOf(all, view.events, log), size);
  return view.render(watchedOf(all, view.events, log), size).map(stripVTControlCharacters);
}

const rowOf = (lines: readonly string[], text: string): number =>
  lines.findIndex((line) => line.includes(text));

describe('the live view of a size', () => {
  it('has all events, the ladder of the most active one and the log on a terminal of 200 x 50', () => {
    const lines = drawn(new LiveView(false), day(6), { columns: 200, rows: 50 });
    const title = lines.find((line) => line.startsWith('event')) ?? '';
    for (const name of ['competition', 'clock', 'score', 'quoted', 'reason', 'worst', 'stake', 'profit'])
      expect(title).toContain(name);
    for (let at = 0; at < 6; at++) expect(rowOf(lines, `Home ${at} v Away ${at}`)).toBeGreaterThan(0);
    expect(title).toContain('Home 5 v Away 5  most active');
    const ladder = lines.map((line) => line.slice(-LADDER_COLUMNS));
    const rungs = ladder.flatMap((line) => /^.{13} *(\d\.\d\d)[ <]/.exec(line)?.[1] ?? []);
    const between = LADDER.filter((price) => price >= 2.2 && price <= 2.52).map((price) => price.toFixed(2));
    expect(rungs).toEqual(expect.arrayContaining(between.toReversed()));
    expect(lines.find((line) => /2\.38 /.test(line) && line.endsWith('12.5'))).toBeDefined();
    expect(lines.find((line) => /12\.5 +2\.34 /.test(line))).toBeDefined();
    expect(ladder.find((line) => /2\.40 +1\.3k *$/.test(line))).toBeDefined();
    expect(ladder.find((line) => /2\.36< *$/.test(line))).toBeDefined();
    expect(lines.at(-2)).toBe('02:13:59 info  order live Home 5 v Away 5: Goal 1 price=2.38');
  });

  it('is that of the status alone on a terminal of 80 x 24', () => {
    const size = { columns: 80, rows: 24 };
    expect(showsState(size)).toBe(false);
    const { status } = watchedOf(day(2), new Set());
    const view = new LiveView(false).render({ status, state: null, log: [] }, size);
    expect(view.slice(0, -1)).toEqual(renderStatus(status, [], { ...size, rows: 23 }));
  });

  /** The columns that are left beside the names, at each width of the table. */
  it.each<[columns: number, columnsLeft: string]>([
    [112, 'competition clock score quoted reason worst stake profit'],
    [111, 'competition clock score quoted reason worst stake profit'],
    [110, 'clock score quoted reason worst stake profit'],
    [91, 'clock score quoted reason worst profit'],
    [81, 'score quoted reason worst profit'],
    [69, 'quoted reason worst profit'],
    [62, 'quoted reason worst'],
    [52, 'quoted reason'],
    [42, 'quoted'],
    [27, ''],
  ])('drops columns of the events in their order: at %i it has %s', (columns, left) => {
    const lines = drawn(new LiveView(false), day(2, 1), { columns, rows: 40 });
    const title = lines.find((line) => line.startsWith('event')) ?? '';
    expect(title.slice('event'.length).trim().split(/\s+/).join(' ')).toBe(left);
  });

  it.each<[columns: number, rows: number, hasEvents: boolean, hasLadder: boolean]>([
    [200, 50, true, true],
    [120, 40, true, true],
    [117, 40, true, true],
    [116, 40, true, false],
    [80, 40, true, false],
    [200, 29, false, true],
    [80, 24, false, false],
    [60, 15, false, false],
  ])('at %i x %i has the events: %s, the ladder: %s', (columns, rows, hasEvents, hasLadder) => {
    const lines = drawn(new LiveView(false), day(3), { columns, rows });
    expect(lines.some((line) => line.startsWith('event '))).toBe(hasEvents);
    expect(lines.some((line) => line.includes('most active'))).toBe(hasLadder);
  });

  it('keeps the rows of selections whole beside the ladder', () => {
    const size = { columns: 120, rows: 40 };
    const rows = renderStatus(watchedOf(day(1), new Set()).status, [], size).map(stripVTControlCharacters);
    const lines = drawn(new LiveView(false), day(1), size);
    const row = rows.find((line) => line.startsWith(' Goal 1')) ?? 'none';
    expect(lines.some((line) => line.startsWith(row))).toBe(true);
  });

  it('leaves out what is far from anything where a ladder is taller than the terminal', () => {
    const [only] = day(1, 1);
    const far = { market: { for: [[1.5, 80] as Level], against: [[8, 20] as Level] }, fair: null };
    const selections = only!.selections.map((each) => ({ ...each, ...far }));
    const lines = drawn(new LiveView(false), [{ ...only!, selections }], { columns: 200, rows: 40 });
    for (const price of ['8.00', '2.38', '2.34', '1.50'])
      expect(rowOf(lines, ` ${price} `)).toBeGreaterThan(0);
    expect(lines.filter((line) => line.trimEnd().endsWith('…')).length).toBe(2);
    expect(rowOf(lines, ' 2.36 ')).toBeGreaterThan(0);
    expect(rowOf(lines, ' 5.00 ')).toBe(-1);
  });
});

describe('the pin of the live view', () => {
  const size = { columns: 200, rows: 50 };
  const titleOf = (view: LiveView): string =>
    /(Home \d v Away \d) {2}(pinned|most active)/.exec(drawn(view, day(3), size).join('\n'))?.[0] ?? 'none';

  it('moves through the events, and back to the most active one', () => {
    const view = new LiveView(false);
    const titles = [titleOf(view)];
    for (let press = 0; press < 4; press++) {
      view.onKey('e');
      titles.push(titleOf(view));
    }
    expect(titles).toEqual([
      'Home 2 v Away 2  most active',
      'Home 0 v Away 0  pinned',
      'Home 1 v Away 1  pinned',
      'Home 2 v Away 2  pinned',
      'Home 2 v Away 2  most active',
    ]);
  });

  it('moves through the selections of an event, which stays', () => {
    const view = new LiveView(false);
    const shownName = (): string =>
      /(Goal \d) {2}fair/.exec(drawn(view, day(3), size).join('\n'))?.[1] ?? 'none';
    const names = [shownName()];
    for (let press = 0; press < 3; press++) {
      view.onKey('n');
      names.push(shownName());
    }
    expect(names).toEqual(['Goal 0', 'Goal 1', 'Goal 2', 'Goal 0']);
    expect(titleOf(view)).toBe('Home 2 v Away 2  pinned');
  });

  it('ends with its event', () => {
    const view = new LiveView(false);
    titleOf(view);
    view.onKey('e');
    expect(titleOf(view)).toBe('Home 0 v Away 0  pinned');
    expect(drawn(view, day(3).slice(1), size).join('\n')).toContain('Home 2 v Away 2  most active');
  });

  it('stays in the help of a terminal that has the ladder', () => {
    const view = new LiveView(false);
    view.onKey('h');
    expect(drawn(view, day(1), size).at(-1)).toContain('e event   n selection');
    expect(drawn(view, day(1), { columns: 80, rows: 40 }).at(-1)).not.toContain('e event');
  });
});

const anyText = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.constantFrom('Ａ東京 v 大阪', '\x1b[31mred', '🎾🎾🎾'),
);
const anyPrice = fc.constantFrom(...LADDER);
const levels = fc.option(
  fc.array(fc.tuple(anyPrice, fc.double({ min: 0, max: 1e7, noNaN: true })), { maxLength: 4 }),
);
const amount = fc.double({ min: -1e7, max: 1e7, noNaN: true });

const anySelection = (key: EventKey): fc.Arbitrary<LiveSelection> =>
  fc
    .record({
      name: anyText,
      ifWin: amount,
      ifLose: amount,
      fair: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
      market: fc.record({ for: levels, against: levels }),
      quotes: fc.array(
        fc
          .tuple(fc.constantFrom<LiveQuote['direction']>('for', 'against'), anyPrice)
          .map(([direction, price]) => quote(direction, price)),
        { maxLength: 4 },
      ),
    })
    .map((changes) => selection(key, changes.name, changes));

const anyShown = (at: number): fc.Arbitrary<Shown> =>
  fc.record({
    event: fc
      .record({
        name: anyText,
        competition: fc.option(anyText),
        waits: fc.constantFrom(null, 'wait for betslips', 'in other words'),
        worst: amount,
        openStake: amount,
        ordersOpen: fc.nat(9),
      })
      .map((changes) => liveEvent(keyOf(at), changes)),
    selections: fc.array(anySelection(keyOf(at)), { maxLength: 4 }),
  });

const anyDay = fc
  .nat(12)
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, at) => anyShown(at))));

describe('a view of any state and size', () => {
  it('is no wider and no taller than its terminal', () => {
    const size = fc.record({
      columns: fc.integer({ min: 1, max: 220 }),
      rows: fc.integer({ min: 1, max: 70 }),
    });
    const keys = fc.array(fc.constantFrom('e', 'n', 's', 'h', 'k', 'x'), { maxLength: 4 });
    fc.assert(
      fc.property(anyDay, fc.array(size, { minLength: 1, maxLength: 3 }), keys, (all, sizes, pressed) => {
        const view = new LiveView(true);
        view.link('http://127.0.0.1:9000/#code=0123456789abcdef');
        for (const key of ['', ...pressed]) {
          view.onKey(key);
          for (const each of sizes) {
            const lines = view.render(watchedOf(all, view.events, [LOG_LINE, LOG_LINE]), each);
            expect(lines.length).toBeLessThanOrEqual(each.rows);
            for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(each.columns);
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});
