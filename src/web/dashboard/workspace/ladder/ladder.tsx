import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { betweenTicks, PAGE } from '../../../../lib/formats.ts';
import { permits } from '../../../../ops/scopes.ts';
import type { LiveEvent, LiveSelection } from '../../../../read-model/live/message.ts';
import { toneOf } from '../../../components/figure.tsx';
import type { Session } from '../../../adapters/session.ts';
import type { View } from '../../stream/view.ts';
import { Hedge } from '../hedge.tsx';
import { Light } from '../selections.tsx';
import { Restricted } from '../trading.tsx';
import { Why } from '../why.tsx';
import { isPosition } from './close-out.ts';
import { type Hand, useHand } from './hand.ts';
import { Mark, Rows } from './ladder-rows.tsx';
import { middleOf, type Span, spanAfter } from '../../../../read-model/live/rungs.ts';

interface LadderProps {
  readonly selection: LiveSelection;
  readonly view: View;
  readonly atMs: number;
  readonly session: Session;
  /** The event of the selection; null if it is not shown. */
  readonly event: LiveEvent | null;
  readonly commissionRate: number;
  /** How many ticks are in view. */
  readonly rows: number;
}

const CENTRE_KEY = 'c';

/**
 * The market of a selection by price, the highest price first, every tick a row. Blue is what a taker can back at, pink what a taker can lay
 * at. Our order among the blue ones is `against` the selection, among the pink ones `for` it. Rows stay while the pointer is over them.
 */
export function Ladder(props: LadderProps): JSX.Element {
  const { selection, view, atMs, session, event, commissionRate, rows } = props;
  const [asked, setAsked] = useState(false);
  const [isHeld, setHeld] = useState(false);
  const hand = useHand(selection.id, session, atMs);
  const { span, centre } = useSpan(selection, isHeld || hand.armed !== null, rows);
  const { name, quotes } = selection;
  const middle = middleOf(quotes);
  const box = useMiddleOfScroll(span, rows);
  const isShaded = event?.suspended === true || selection.restriction !== null;
  return (
    <section
      class="ladder panel"
      aria-label={`Ladder of ${name}`}
      onKeyDown={({ key }) => {
        if (key === CENTRE_KEY) centre();
        if (key === 'Escape') {
          setAsked(false);
          hand.disarm();
        }
      }}
    >
      <Head
        selection={selection}
        event={event}
        session={session}
        atMs={atMs}
        isAsked={asked}
        isByHand={hand.isOn}
        onCentre={centre}
        onAsk={() => setAsked(!asked)}
        onHand={() => hand.toggle()}
      />
      {hand.isOn ? (
        <HandLine hand={hand} />
      ) : (
        <SecondLine selection={selection} event={event} session={session} atMs={atMs} middle={middle} />
      )}
      <div
        class={`rows ${isShaded ? 'shaded' : ''}`}
        ref={box}
        tabIndex={0}
        role="region"
        aria-label={`Prices of ${name}${isShaded ? ', stopped' : ''}`}
        onPointerEnter={() => setHeld(true)}
        onPointerLeave={() => setHeld(false)}
      >
        {span === null ? (
          <p class="quiet">No fresh prices.</p>
        ) : (
          <>
            <Rows
              selection={selection}
              commissionRate={commissionRate}
              span={span}
              atMs={atMs}
              view={view}
              onAsk={() => setAsked(true)}
              hand={hand.isOn ? hand : null}
            />
            <Mark kind="fair" price={fairPriceOf(selection)} span={span} />
            <Mark kind="middle" price={middle} span={span} />
          </>
        )}
      </div>
      {asked ? <Why selectionId={selection.id} session={session} /> : null}
    </section>
  );
}

interface HeadProps extends Pick<LadderProps, 'selection' | 'event' | 'session' | 'atMs'> {
  readonly isAsked: boolean;
  readonly isByHand: boolean;
  readonly onCentre: () => void;
  readonly onAsk: () => void;
  readonly onHand: () => void;
}

/** The name, and what a person can do here. Its buttons keep their places whether something is held or not. */
const Head = ({
  selection,
  event,
  session,
  atMs,
  isAsked,
  isByHand,
  onCentre,
  onAsk,
  onHand,
}: HeadProps): JSX.Element => (
  <div class="ladder-head">
    <h2>
      <Light selection={selection} />
      <span class="name" title={selection.name}>
        {selection.name}
      </span>
    </h2>
    {event === null || !isPosition(selection) ? null : (
      <Hedge
        event={event}
        session={session}
        atMs={atMs}
        label={`flatten ${selection.name}`}
        text="flatten"
        goal={{ flatten: selection.id }}
      />
    )}
    {permits(session.scope, 'control') ? (
      <button
        type="button"
        class="quiet-button"
        aria-label={`Quote on ${selection.name} by hand`}
        aria-pressed={isByHand}
        title="A press on a price arms a quote of your own, a second one places it"
        onClick={onHand}
      >
        hand
      </button>
    ) : null}
    <button
      type="button"
      aria-label={`Centre ${selection.name}`}
      class="quiet-button"
      title="Show the best prices in the middle (key C)"
      onClick={onCentre}
    >
      centre
    </button>
    <button
      type="button"
      class="quiet-button"
      aria-label={`Why ${selection.name} is quoted so`}
      aria-expanded={isAsked}
      onClick={onAsk}
    >
      why
    </button>
  </div>
);

/** The stake of the next quote by hand, and what the next press does. */
const HandLine = ({ hand }: { readonly hand: Hand }): JSX.Element => (
  <p class="line hand-line">
    <label>
      stake{' '}
      <input
        inputMode="decimal"
        size={5}
        value={hand.stake}
        aria-invalid={hand.amount === null}
        onInput={({ currentTarget }) => {
          hand.disarm();
          hand.setStake(currentTarget.value);
        }}
      />
    </label>
    <span role="status" class="clipped">
      {hand.said === '' ? 'press a price twice; drag, arrows and Delete change a quote' : hand.said}
    </span>
  </p>
);

interface SecondLineProps extends Pick<LadderProps, 'selection' | 'event' | 'session' | 'atMs'> {
  readonly middle: number | null;
}

/** Why nothing is placed here, if a person or a limit stopped it; else how our quotes stand to the fair price, and what is held. */
function SecondLine({ selection, event, session, atMs, middle }: SecondLineProps): JSX.Element {
  const { id, name, restriction, ifWin, ifLose } = selection;
  if (restriction !== null)
    return (
      <Restricted
        name={name}
        target={{ selection: id }}
        restriction={restriction}
        session={session}
        atMs={atMs}
      />
    );
  const fair = fairPriceOf(selection);
  return (
    <p class="quiet line">
      <span class="key fair">{fairWords(selection)}</span>
      {event?.suspended === true ? (
        <strong class="suspended">SUSPENDED</strong>
      ) : (
        <Middle middle={middle} fair={fair} />
      )}
      <span class="pays" title="What matched bets pay if it wins, and if it loses">
        <span class={toneOf(ifWin)}>{PAGE.gain(ifWin)}</span> /{' '}
        <span class={toneOf(ifLose)}>{PAGE.gain(ifLose)}</span>
      </span>
    </p>
  );
}

/** Null as well once the score has decided the selection: then no price is fair. */
const fairPriceOf = ({ fair }: LiveSelection): number | null =>
  fair === null || fair <= 0 || fair >= 1 ? null : 1 / fair;

function fairWords(selection: LiveSelection): string {
  const price = fairPriceOf(selection);
  if (price !== null) return `fair ${betweenTicks(price)}`;
  if (selection.fair === null) return 'no fair value';
  return selection.fair >= 1 ? 'won by the score' : 'lost by the score';
}

interface MiddleProps {
  readonly middle: number | null;
  readonly fair: number | null;
}

/** The middle of our quotes, and how far it is from the fair price. */
function Middle({ middle, fair }: MiddleProps): JSX.Element | null {
  if (middle === null) return null;
  const skew = fair === null ? null : middle / fair - 1;
  return (
    <span class="key middle" title="The middle of our quotes, and how far it is from the fair price">
      ours {betweenTicks(middle)}
      {skew === null ? null : (
        <span class="skew">
          {skew > 0 ? ' ▲' : skew < 0 ? ' ▼' : ' ='}
          {PAGE.percent(Math.abs(skew))}
        </span>
      )}
    </span>
  );
}

/** The ticks shown, and a function that centres them. */
function useSpan(
  selection: LiveSelection,
  isHeld: boolean,
  rows: number,
): { readonly span: Span | null; readonly centre: () => void } {
  const of = `${selection.id} ${rows}`;
  const kept = useRef<{ readonly of: string; readonly span: Span | null }>({ of, span: null });
  const [, redraw] = useState(0);
  const before = kept.current.of === of ? kept.current.span : null;
  const span = spanAfter(before, selection, isHeld, rows);
  kept.current = { of, span };
  const centre = (): void => {
    kept.current = { of, span: null };
    redraw((times) => times + 1);
  };
  return { span, centre };
}

/** Shows the middle of a span that is longer than the box. */
function useMiddleOfScroll(span: Span | null, rows: number) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const shown = box.current;
    if (shown === null || span === null) return;
    const rowPx = shown.scrollHeight / (span.high - span.low + 2);
    shown.scrollTop = Math.round((shown.scrollHeight - shown.clientHeight) / 2 / rowPx) * rowPx;
  }, [span?.low, span?.high, rows]);
  return box;
}

interface NoLadderProps {
  readonly name: string;
  /** Why there is none. */
  readonly children: string;
}

/** The place of a ladder whose selection is not there: as high as one. */
export const NoLadder = ({ name, children }: NoLadderProps): JSX.Element => (
  <section class="ladder panel" aria-label={`No ladder of ${name}`}>
    <div class="ladder-head">
      <h2>
        <span class="name">{name}</span>
      </h2>
    </div>
    <p class="quiet line">{children}</p>
    <div class="rows" />
  </section>
);
