import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { shownLadders } from '../../../read-model/live/choices.ts';
import type { LiveEvent } from '../../../read-model/live/message.ts';
import type { Session } from '../../adapters/session.ts';
import { SharedZoom } from '../../components/shared-zoom.tsx';
import { Alerts } from '../alerts.tsx';
import { type Desk, MOST_LADDERS, toggled } from '../desk.ts';
import { PaperFills } from '../paper-fills.tsx';
import { show } from '../screens.ts';
import { eventsOf, payoffsOf, selectionOf, selectionsOf, type Shown, type View } from '../stream/view.ts';
import { eventOf } from '../stream/keys.ts';
import { absentInWords } from '../words.ts';
import { AfterStop } from './after-stop.tsx';
import { EventHead } from './event-head.tsx';
import { EventTable } from './event-table.tsx';
import { FillsRail } from './fills-rail.tsx';
import { Ladder, NoLadder } from './ladder/ladder.tsx';
import { Payoffs } from './payoffs.tsx';
import { PriceChart } from './price-chart.tsx';
import { MoneyCharts } from './money-charts.tsx';
import { PanelSplitter } from './panel-splitter.tsx';
import { Selections } from './selections.tsx';
import { type Sizes, useSizes } from './use-sizes.ts';

interface WorkspaceProps {
  readonly desk: Desk;
  /** The event that is shown: the chosen one, or the most active; null without any. */
  readonly selected: string | null;
  readonly shown: Shown;
  readonly session: Session;
  /** When CLOSE ALL was done from here, on the daemon's clock; null if it was not. */
  readonly closedAtMs: number | null;
}

/** Everything at once: the events, the ladders of some selections, what they may pay, and what happened last. */
export function Workspace({ desk, selected, shown, session, closedAtMs }: WorkspaceProps): JSX.Element {
  const { view, atMs } = shown;
  const event = eventsOf(view).find(({ key }) => key === selected) ?? null;
  const sizes = useSizes();
  const ladders = useLadders(desk, view, event, sizes);
  const choose = (id: string): void =>
    show({ ...desk, event: selected, ladders: toggled(ladders, id).slice(-MOST_LADDERS) });
  return (
    <div class="workspace" style={sizes.style}>
      <h1 class="unseen">Touchline</h1>
      <div class="attention">
        <Alerts shown={shown} session={session} />
        <AfterStop shown={shown} session={session} closedAtMs={closedAtMs} />
      </div>
      <div class="main">
        <EventTable desk={desk} shown={shown} selected={selected} />
        <PanelSplitter name="table" label="Height of the table of events" sizes={sizes} />
        {event === null ? (
          <Missing desk={desk} shown={shown} />
        ) : (
          <EventHead
            event={event}
            atMs={atMs}
            session={session}
            first={ladders[0] === undefined ? null : selectionOf(view, ladders[0])}
          />
        )}
        {ladders.length === 0 && event === null ? null : (
          <>
            <div class="ladders">
              {ladders.map((id, at) => (
                <OneLadder key={at} id={id} rows={sizes.of.ladders} shown={shown} session={session} />
              ))}
              {ladders.length === 0 && event !== null ? (
                <NoLadder name={event.name}>{absentInWords(shown, event.key, NOTHING_HERE)}</NoLadder>
              ) : null}
            </div>
            <PanelSplitter name="ladders" label="Height of the ladders" sizes={sizes} />
          </>
        )}
        <SharedZoom>
          <div class="charts">
            <MoneyCharts shown={shown} session={session} />
            {ladders[0] === undefined ? null : <PriceChart shown={shown} selectionId={ladders[0]} />}
          </div>
        </SharedZoom>
      </div>
      <PanelSplitter name="side" label="Width of the side" sizes={sizes} />
      <div class="side">
        {event === null ? null : (
          <>
            <Payoffs event={event} payoffs={payoffsOf(view, event.key)} shown={shown} session={session} />
            <Selections
              selections={selectionsOf(view, event.key)}
              trading={event.restriction?.state ?? shown.run.trading.state}
              shown={ladders}
              absent={absentInWords(shown, event.key, NOTHING_HERE)}
              onChoose={choose}
            />
            <PanelSplitter name="selections" label="Height of the list of selections" sizes={sizes} />
          </>
        )}
        <FillsRail view={view} />
        <PaperFills {...shown.money} />
      </div>
    </div>
  );
}

/** The pinned ladders, or those of the event. The latter stay where they are for as long as the event is shown. */
function useLadders(desk: Desk, view: View, event: LiveEvent | null, sizes: Sizes): readonly string[] {
  const kept = useRef<{ readonly event: string | null; readonly ids: readonly string[] }>({
    event: null,
    ids: [],
  });
  if (desk.ladders.length > 0) return desk.ladders;
  const key = event?.key ?? null;
  const before = kept.current.event === key ? kept.current.ids : [];
  const ids = key === null ? [] : shownLadders(selectionsOf(view, key), before, laddersThatFit(sizes));
  kept.current = { event: key, ids };
  return ids;
}

/** As many as are side by side, and never fewer than two. Narrow screens show them below each other. */
const laddersThatFit = ({ of: { side } }: Sizes): number =>
  Math.min(MOST_LADDERS, Math.max(2, Math.round((innerWidth - side * UNIT_PX) / LADDER_PX)));
const [UNIT_PX, LADDER_PX] = [4, 335];

interface OneLadderProps {
  readonly id: string;
  readonly rows: number;
  readonly shown: Shown;
  readonly session: Session;
}

const NOTHING_HERE = 'Nothing is quoted, held or open here.';

function OneLadder({ id, rows, shown: page, session }: OneLadderProps): JSX.Element {
  const { view, atMs, money } = page;
  const selection = selectionOf(view, id);
  if (selection === null)
    return <NoLadder name={id}>{absentInWords(page, eventOf(id), NOTHING_HERE)}</NoLadder>;
  const event = eventsOf(view).find(({ key }) => id.startsWith(`${key}|`)) ?? null;
  const { commissionRate } = money;
  const shown = { selection, event, view, atMs, session, commissionRate, rows };
  return <Ladder {...shown} />;
}

interface MissingProps {
  readonly desk: Desk;
  readonly shown: Shown;
}

/** Why no event is shown. A phone shows none before a press. */
const Missing = ({ desk, shown }: MissingProps): JSX.Element => (
  <p class="quiet panel">{missingInWords(desk, shown)}</p>
);

function missingInWords({ event }: Desk, shown: Shown): string {
  if (event !== null)
    return absentInWords(shown, null, 'The daemon neither quotes nor holds anything on that event any more.');
  return eventsOf(shown.view).length === 0
    ? absentInWords(shown, null, 'There is no event to show.')
    : 'Press an event to see its ladders, its payoffs and its prices.';
}
