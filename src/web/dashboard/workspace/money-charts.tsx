import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { PAGE } from '../../../lib/formats.ts';
import type { TimelinePoint } from '../../../read-model/live/records.ts';
import { ask } from '../../adapters/commands.ts';
import type { Session } from '../../adapters/session.ts';
import { Chart } from '../../components/chart.tsx';
import { EmptyChart } from '../../components/empty-chart.tsx';
import type { Line } from '../../components/lines.ts';
import type { Shown } from '../stream/view.ts';
import { absentInWords } from '../words.ts';

interface MoneyChartsProps {
  readonly shown: Shown;
  readonly session: Session;
}

type ProfitPoint = Pick<TimelinePoint, 'atMs' | 'settled' | 'expected'>;

const [SECOND_MS, SPAN_MS] = [1_000, 3_600_000];
/** The daemon takes a reading as often as the page asks. */
const [ASK_EVERY_MS, POINT_EVERY_MS] = [10_000, 1_000];

/** The profit of the run over the last hour, to this second, and what it has had at stake. */
export function MoneyCharts({ shown, session }: MoneyChartsProps): JSX.Element {
  const recorded = useTimeline(shown, session);
  return (
    <>
      <ProfitChart recorded={recorded} shown={shown} />
      <InventoryChart recorded={recorded} shown={shown} />
    </>
  );
}

interface RecordedProps {
  readonly recorded: readonly TimelinePoint[];
  readonly shown: Shown;
}

const NO_READING = 'The first reading comes within ten seconds.';

const PROFIT = 'Profit of the run';

function ProfitChart({ recorded, shown }: RecordedProps): JSX.Element {
  const { run, withoutFair } = shown.money;
  const { settled, expected } = run;
  const isValued = withoutFair === 0;
  const nowS = Math.floor(shown.atMs / POINT_EVERY_MS);
  const { atS, lines } = useMemo(
    () => linesOf(recorded, { atMs: nowS * POINT_EVERY_MS, settled, expected }, isValued),
    [recorded, nowS, settled, expected, isValued],
  );
  if (atS.length < 2) return <EmptyChart title={PROFIT}>{absentInWords(shown, null, NO_READING)}</EmptyChart>;
  return <Chart title={PROFIT} atS={atS} lines={lines} format={PAGE.money} />;
}

const INVENTORY = 'Inventory';

/** The worst case of the account and the stake of its open orders, at each reading. */
function InventoryChart({ recorded, shown }: RecordedProps): JSX.Element {
  const { atS, lines } = useMemo(
    () => ({
      atS: recorded.map(({ atMs }) => atMs / SECOND_MS),
      lines: [
        { name: 'worst case', values: recorded.map(({ worst }) => worst) },
        { name: 'open exchange stake', values: recorded.map(({ openStake }) => openStake) },
      ],
    }),
    [recorded],
  );
  if (atS.length < 2)
    return <EmptyChart title={INVENTORY}>{absentInWords(shown, null, NO_READING)}</EmptyChart>;
  return <Chart title={INVENTORY} atS={atS} lines={lines} format={PAGE.money} />;
}

/** What the daemon recorded over the last hour. */
function useTimeline({ atMs }: Shown, session: Session): readonly TimelinePoint[] {
  const [points, setPoints] = useState<readonly TimelinePoint[]>([]);
  useEffect(() => {
    let isCurrent = true;
    const span = { fromMs: String(Math.round(atMs - SPAN_MS)), toMs: String(Math.round(atMs)) };
    void ask(session, `/timeline?${new URLSearchParams(span)}`).then((answer) => {
      if (isCurrent && answer.done) setPoints(answer.body as readonly TimelinePoint[]);
    });
    return () => {
      isCurrent = false;
    };
  }, [Math.floor(atMs / ASK_EVERY_MS), session]);
  return points;
}

function linesOf(
  recorded: readonly ProfitPoint[],
  now: ProfitPoint,
  isValued: boolean,
): { readonly atS: readonly number[]; readonly lines: readonly Line[] } {
  const points = [...recorded.filter(({ atMs }) => atMs < now.atMs), now];
  return {
    atS: points.map(({ atMs }) => atMs / SECOND_MS),
    lines: [
      { name: 'settled', values: points.map(({ settled }) => settled) },
      {
        name: isValued ? 'expected' : 'expected (no fair price)',
        values: points.map(({ expected }) => expected),
      },
    ],
  };
}
