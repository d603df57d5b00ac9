import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { PAGE } from '../../../lib/formats.ts';
import type {
  RecordedDay,
  RecordedFill,
  RecordedProfit,
  TimelinePoint,
} from '../../../read-model/live/records.ts';
import type { OrderRow } from '../../../read-model/status.ts';
import { ask } from '../../adapters/commands.ts';
import type { Session } from '../../adapters/session.ts';
import { Chart } from '../../components/chart.tsx';
import { SharedZoom } from '../../components/shared-zoom.tsx';
import type { Shown, View } from '../stream/view.ts';
import { FillBlotter, OrderBlotter } from './blotters.tsx';
import { ProfitByDay } from './profit-by-day.tsx';
import { ProfitCharts } from './profit-charts.tsx';
import { ProfitParts } from './profit-parts.tsx';
import { profitNames } from './profits.ts';

interface HistoryScreenProps {
  readonly shown: Shown;
  readonly session: Session;
}

const HOUR_MS = 3_600_000;

const SPANS = [
  { name: 'the last hour', ms: HOUR_MS },
  { name: 'eight hours', ms: 8 * HOUR_MS },
  { name: 'a day', ms: 24 * HOUR_MS },
  { name: 'a week', ms: 7 * 24 * HOUR_MS },
  { name: 'thirty days', ms: 30 * 24 * HOUR_MS },
] as const;

/** Records are asked for again so often. Not at each fill: the answer before would be dropped each time where many come. */
const REFRESH_MS = 5_000;

interface Records {
  readonly timeline: readonly TimelinePoint[];
  readonly fills: readonly RecordedFill[];
  readonly orders: readonly OrderRow[];
  readonly days: readonly RecordedDay[];
  readonly profits: readonly RecordedProfit[];
}

/** What happened: profit, exposure and quotes over time, and every fill and order. */
export function HistoryScreen({ shown, session }: HistoryScreenProps): JSX.Element {
  const [spanMs, setSpanMs] = useState<number>(HOUR_MS);
  const [event, setEvent] = useState<string | null>(null);
  const { records, problem } = useRecords(shown, session, spanMs);
  return (
    <div class="history">
      <h1>Over time</h1>
      <div class="bar">
        <label>
          Show
          <select value={spanMs} onChange={({ currentTarget: { value } }) => setSpanMs(Number(value))}>
            {SPANS.map(({ name, ms }) => (
              <option value={ms}>{name}</option>
            ))}
          </select>
        </label>
        <EventChoice records={records} event={event} onChoose={setEvent} />
      </div>
      {problem === null ? null : <p class="warnings">{problem}</p>}
      {records === null ? (
        <p class="quiet">Asking …</p>
      ) : (
        <Shows records={records} view={shown.view} event={event} placed={shown.quoting.ordersPlaced} />
      )}
    </div>
  );
}

interface EventChoiceProps {
  readonly records: Records | null;
  readonly event: string | null;
  readonly onChoose: (event: string | null) => void;
}

/** Which event the chart of profits and the lists show. The one that moved furthest is the first. */
function EventChoice({ records, event, onChoose }: EventChoiceProps): JSX.Element {
  const names = new Set([
    ...(event === null ? [] : [event]),
    ...profitNames(records?.profits ?? [], 'event'),
    ...(records?.fills ?? []).map((fill) => fill.event),
  ]);
  return (
    <label>
      Event
      <select
        value={event ?? ''}
        onChange={({ currentTarget: { value } }) => onChoose(value === '' ? null : value)}
      >
        <option value="">all</option>
        {[...names].map((name) => (
          <option value={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}

function useRecords(
  { atMs }: Shown,
  session: Session,
  spanMs: number,
): { readonly records: Records | null; readonly problem: string | null } {
  const [records, setRecords] = useState<Records | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const asked = `${Math.floor(atMs / REFRESH_MS)} ${spanMs}`;
  useEffect(() => {
    let isCurrent = true;
    const span = new URLSearchParams({
      fromMs: String(Math.round(atMs - spanMs)),
      toMs: String(Math.round(atMs)),
    }).toString();
    void Promise.all(
      [`/timeline?${span}`, `/fills?${span}`, '/orders', '/days', `/profits?${span}`].map((path) =>
        ask(session, path),
      ),
    ).then((answers) => {
      if (!isCurrent) return;
      if (answers.every(({ done }) => done)) {
        const [timeline, fills, orders, days, profits] = answers.map((answer) =>
          answer.done ? answer.body : null,
        );
        setProblem(null);
        setRecords({
          timeline: timeline as readonly TimelinePoint[],
          fills: fills as readonly RecordedFill[],
          orders: orders as readonly OrderRow[],
          days: days as readonly RecordedDay[],
          profits: profits as readonly RecordedProfit[],
        });
      } else setProblem(answers.map((each) => (each.done ? '' : each.why)).join(' '));
    });
    return () => {
      isCurrent = false;
    };
  }, [asked, session]);
  return { records, problem };
}

const whole = (value: number): string => String(Math.round(value));

interface ShowsProps {
  readonly records: Records;
  /** The event that is shown alone; null for all. */
  readonly event: string | null;
  readonly view: View;
  /** Orders that this run has placed. */
  readonly placed: number;
}

function Shows({ records, event, view, placed }: ShowsProps): JSX.Element {
  const { timeline, profits, days } = records;
  const fills = useMemo(() => ofEvent(records.fills, event), [records.fills, event]);
  const orders = useMemo(() => ofEvent(records.orders, event), [records.orders, event]);
  return (
    <>
      {timeline.length < 2 ? (
        <p class="quiet">There are too few readings for a line yet: one is taken every ten seconds.</p>
      ) : (
        <SharedZoom>
          <div class="charts">
            {event === null ? <AccountCharts timeline={timeline} /> : null}
            <ProfitCharts profits={profits} event={event} />
          </div>
        </SharedZoom>
      )}
      {event === null ? <ProfitByDay days={days} /> : null}
      <ProfitParts view={view} fills={fills} profits={profits} event={event} />
      <FillBlotter fills={fills} />
      <OrderBlotter orders={orders} listed={records.orders.length} placed={placed} />
    </>
  );
}

/** Charts of the whole account: none of them is of a chosen event. */
function AccountCharts({ timeline }: Pick<Records, 'timeline'>): JSX.Element {
  const lines = useMemo(() => linesOf(timeline), [timeline]);
  return (
    <>
      <Chart title="Profit of the run" atS={lines.atS} lines={lines.equity} format={PAGE.money} />
      <Chart title="Exposure" atS={lines.atS} lines={lines.exposure} format={PAGE.money} />
      <Chart
        title="Both sides quoted"
        atS={lines.atS}
        lines={lines.twoSided}
        format={asPercent}
        range={WHOLE}
      />
      <Chart title="Orders open" atS={lines.atS} lines={lines.orders} format={whole} />
    </>
  );
}

/** The rows of an event; null for those of all. */
const ofEvent = <T extends { readonly event: string }>(
  rows: readonly T[],
  event: string | null,
): readonly T[] => (event === null ? rows : rows.filter((row) => row.event === event));

/** The axis of a share. */
const WHOLE = [0, 1] as const;

const asPercent = (share: number): string => PAGE.percent(share, 0);

function linesOf(timeline: readonly TimelinePoint[]) {
  const of = (name: string, value: (point: TimelinePoint) => number | null) => ({
    name,
    values: timeline.map(value),
  });
  return {
    atS: timeline.map(({ atMs }) => atMs / 1_000),
    equity: [of('settled', ({ settled }) => settled), of('expected', ({ expected }) => expected)],
    exposure: [
      of('worst case', ({ worst }) => worst),
      of('open exchange stake', ({ openStake }) => openStake),
      of('gross', ({ gross }) => gross),
    ],
    twoSided: [
      of('of the wanted selections', ({ wanted, twoSided }) => (wanted === 0 ? null : twoSided / wanted)),
    ],
    orders: [of('orders', ({ ordersOpen }) => ordersOpen)],
  };
}
