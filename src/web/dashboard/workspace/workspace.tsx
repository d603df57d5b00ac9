import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { LiveEvent } from '../../../read-model/live/message.ts';
import type { Session } from '../../adapters/session.ts';
import { Alerts } from '../alerts.tsx';
import { type Desk, MOST_LADDERS, toggled } from '../desk.ts';
import { PaperFills } from '../paper-fills.tsx';
import { show } from '../screens.ts';
import { eventsOf, payoffsOf, selectionOf, selectionsOf, type Shown, type View } from '../stream/view.ts';
import { shownLadders } from './choices.ts';
import { EventHead } from './event-head.tsx';
import { EventTable } from './event-table.tsx';
import { FillsRail } from './fills-rail.tsx';
import { Ladder, NoLadder } from './ladder.tsx';
import { Payoffs } from './payoffs.tsx';
import { PriceChart } from './price-chart.tsx';
import { ProfitChart } from './profit-chart.tsx';
import { Selections } from './selections.tsx';

interface WorkspaceProps {
  readonly desk: Desk;
  /** The event that is shown: the chosen one, or the most active; null without any. */
  readonly selected: string | null;
  readonly shown: Shown;
  readonly session: Session;
}

/** Everything at once: the events, the ladders of some selections, what they may pay, and what happened last. */
export function Workspace({ desk, selected, shown, session }: WorkspaceProps): JSX.Element {
  const { view, atMs } = shown;
  const event = eventsOf(view).find(({ key }) => key === selected) ?? null;
  const ladders = useLadders(desk, view, event);
  const choose = (id: string): void =>
    show({ ...desk, event: selected, ladders: toggled(ladders, id).slice(-MOST_LADDERS) });
  return (
    <div class="workspace">
      <h1 class="unseen">Touchline</h1>
      <Alerts shown={shown} session={session} />
      <div class="main">
        <EventTable desk={desk} shown={shown} selected={selected} />
        {event === null ? (
          <Missing desk={desk} />
        ) : (
          <EventHead
            event={event}
            atMs={atMs}
            session={session}
            first={ladders[0] === undefined ? null : selectionOf(view, ladders[0])}
          />
        )}
        <div class="ladders">
          {ladders.map((id, at) => (
            <OneLadder key={at} id={id} shown={shown} session={session} />
          ))}
          {ladders.length === 0 && event !== null ? <NoLadder name={event.name} /> : null}
        </div>
        <div class="charts">
          <ProfitChart shown={shown} session={session} />
          <PriceChart view={view} selectionId={ladders[0] ?? null} />
        </div>
      </div>
      <div class="side">
        {event === null ? null : (
          <Payoffs event={event} payoffs={payoffsOf(view, event.key)} session={session} />
        )}
        {event === null ? null : (
          <Selections selections={selectionsOf(view, event.key)} shown={ladders} onChoose={choose} />
        )}
        <FillsRail view={view} />
        <PaperFills {...shown.money} />
      </div>
    </div>
  );
}

/** The pinned ladders, or those of the event. The latter stay where they are for as long as the event is shown. */
function useLadders(desk: Desk, view: View, event: LiveEvent | null): readonly string[] {
  const kept = useRef<{ readonly event: string | null; readonly ids: readonly string[] }>({
    event: null,
    ids: [],
  });
  if (desk.ladders.length > 0) return desk.ladders;
  const key = event?.key ?? null;
  const before = kept.current.event === key ? kept.current.ids : [];
  const ids = key === null ? [] : shownLadders(selectionsOf(view, key), before, laddersThatFit());
  kept.current = { event: key, ids };
  return ids;
}

/** As many as are side by side, and never fewer than two. Narrow screens show them below each other. */
const laddersThatFit = (): number => Math.max(2, Math.floor((innerWidth - SIDE_PX) / LADDER_PX));
const [SIDE_PX, LADDER_PX] = [440, 285];

interface OneLadderProps {
  readonly id: string;
  readonly shown: Shown;
  readonly session: Session;
}

function OneLadder({ id, shown: { view, atMs, money }, session }: OneLadderProps): JSX.Element {
  const selection = selectionOf(view, id);
  if (selection === null) return <NoLadder name={id} />;
  const event = eventsOf(view).find(({ key }) => id.startsWith(`${key}|`)) ?? null;
  const { commissionRate } = money;
  const shown = { selection, event, view, atMs, session, commissionRate };
  return <Ladder {...shown} />;
}

const Missing = ({ desk }: { readonly desk: Desk }): JSX.Element => (
  <p class="quiet panel">
    {desk.event === null
      ? 'Nothing is quoted, held or open.'
      : 'The daemon neither quotes nor holds anything on that event any more.'}
  </p>
);
