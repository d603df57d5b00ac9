import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type {
  Level,
  LiveEvent,
  LiveFill,
  LiveQuote,
  LiveSelection,
} from '../../../read-model/live/message.ts';
import type { Session } from '../../adapters/session.ts';
import { gain, percent, price as priceText, whole } from '../numbers.ts';
import { fillsOf, type View } from '../stream/view.ts';
import { lengthInWords, ownInWords } from '../words.ts';
import { closedAt, isPosition } from './close-out.ts';
import { Hedge } from './hedge.tsx';
import {
  LEAST_ROWS,
  middleOf,
  nearestTick,
  type Rung,
  rowsDown,
  rungsOf,
  type Span,
  spanAfter,
} from './rungs.ts';
import { Light } from './selections.tsx';
import { Why } from './why.tsx';

interface LadderProps {
  readonly selection: LiveSelection;
  readonly view: View;
  readonly atMs: number;
  readonly session: Session;
  /** The event of the selection; null if it is not shown. */
  readonly event: LiveEvent | null;
  readonly commissionRate: number;
}

const [CENTRE_KEY, FILLS_SHOWN] = ['c', 8];
/** Every ladder is as high: its titles, and the least number of ticks. */
const ROWS = { '--rows': String(LEAST_ROWS + 1) };

/**
 * The market of a selection by price, the highest price first, every tick a row. Blue is what a taker can back at, pink what a taker can lay
 * at. Our order among the blue ones is `against` the selection, among the pink ones `for` it. Rows stay while the pointer is over them.
 */
export function Ladder(props: LadderProps): JSX.Element {
  const { selection, view, atMs, session, event, commissionRate } = props;
  const [asked, setAsked] = useState(false);
  const [isHeld, setHeld] = useState(false);
  const { span, centre } = useSpan(selection, isHeld);
  const { name, fair, quotes, ifWin, ifLose } = selection;
  const fairPrice = fair === null ? null : 1 / fair;
  const middle = middleOf(quotes);
  const box = useMiddleOfScroll(span);
  return (
    <section
      class="ladder panel"
      aria-label={`Ladder of ${name}`}
      onKeyDown={({ key }) => (key === CENTRE_KEY ? centre() : undefined)}
    >
      <Head selection={selection} isAsked={asked} onCentre={centre} onAsk={() => setAsked(!asked)} />
      <p class="quiet line">
        <span>{valueInWords(fairPrice, middle)}</span>
        <span title="What matched bets pay if it wins, and if it loses">
          {gain(ifWin)} / {gain(ifLose)}
        </span>
      </p>
      <div
        class="rows"
        style={ROWS}
        ref={box}
        tabIndex={0}
        role="region"
        aria-label={`Prices of ${name}`}
        onPointerEnter={() => setHeld(true)}
        onPointerLeave={() => setHeld(false)}
      >
        {span === null ? (
          <p class="quiet">No fresh prices.</p>
        ) : (
          <Rows
            selection={selection}
            commissionRate={commissionRate}
            span={span}
            atMs={atMs}
            view={view}
            onAsk={() => setAsked(true)}
          />
        )}
        {span === null ? null : <Mark kind="fair" price={fairPrice} span={span} />}
        {span === null ? null : <Mark kind="middle" price={middle} span={span} />}
      </div>
      {event === null || !isPosition(selection) ? null : (
        <Hedge event={event} session={session} label={`flatten ${name}`} goal={{ flatten: selection.id }} />
      )}
      {asked ? <Why selectionId={selection.id} session={session} /> : null}
    </section>
  );
}

interface HeadProps {
  readonly selection: LiveSelection;
  readonly isAsked: boolean;
  readonly onCentre: () => void;
  readonly onAsk: () => void;
}

const Head = ({ selection, isAsked, onCentre, onAsk }: HeadProps): JSX.Element => (
  <h2>
    <Light selection={selection} />
    <span class="name">{selection.name}</span>
    <button
      type="button"
      aria-label={`Centre ${selection.name}`}
      class="centre"
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
  </h2>
);

/** The ticks shown, and a function that centres them. */
function useSpan(
  selection: LiveSelection,
  isHeld: boolean,
): { readonly span: Span | null; readonly centre: () => void } {
  const kept = useRef<{ readonly id: string; readonly span: Span | null }>({ id: selection.id, span: null });
  const [, redraw] = useState(0);
  const before = kept.current.id === selection.id ? kept.current.span : null;
  const span = spanAfter(before, selection, isHeld);
  kept.current = { id: selection.id, span };
  const centre = (): void => {
    kept.current = { id: selection.id, span: null };
    redraw((times) => times + 1);
  };
  return { span, centre };
}

/** Shows the middle of a span that is longer than the box. */
function useMiddleOfScroll(span: Span | null) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const rows = box.current;
    if (rows === null || span === null) return;
    const rowPx = rows.scrollHeight / (span.high - span.low + 2);
    rows.scrollTop = Math.round((rows.scrollHeight - rows.clientHeight) / 2 / rowPx) * rowPx;
  }, [span?.low, span?.high]);
  return box;
}

function valueInWords(fairPrice: number | null, middle: number | null): string {
  if (fairPrice === null) return 'no fair value';
  const fair = `fair ${fairPrice.toFixed(3)}`;
  if (middle === null) return fair;
  const skew = middle / fairPrice - 1;
  return `${fair} · ours ${skew > 0 ? '▲' : skew < 0 ? '▼' : '='} ${percent(Math.abs(skew), 2)}`;
}

interface RowsProps extends Omit<LadderProps, 'session' | 'event'> {
  readonly span: Span;
  readonly onAsk: () => void;
}

function Rows({ selection, commissionRate, view, span, atMs, onAsk }: RowsProps): JSX.Element {
  const rungs = rungsOf(selection, span);
  const most = Math.max(1, ...rungs.flatMap(({ toBack, toLay }) => [stakeOf(toBack), stakeOf(toLay)]));
  const fills = fillsOf(view)
    .filter(({ selectionId }) => selectionId === selection.id)
    .slice(0, FILLS_SHOWN);
  const isHeld = isPosition(selection);
  return (
    <table class={isHeld ? 'held' : ''}>
      <thead>
        <tr>
          <th scope="col">against</th>
          <th scope="col">back</th>
          <th scope="col">price</th>
          <th scope="col">lay</th>
          <th scope="col">for</th>
          {isHeld ? <th scope="col">closed</th> : null}
        </tr>
      </thead>
      <tbody>
        {rungs.map((rung, at) => (
          <Row
            key={at}
            rung={rung}
            most={most}
            pays={closedAt(selection, rung.price, commissionRate)}
            fills={fills.filter((fill) => nearestTick(fill.price) === rung.tick)}
            atMs={atMs}
            onAsk={onAsk}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly rung: Rung;
  /** The largest stake of the ladder: its bar is as wide as the cell. */
  readonly most: number;
  /** What the position pays, whatever the outcome, if it is closed at this price; null without one. */
  readonly pays: number | null;
  readonly fills: readonly LiveFill[];
  readonly atMs: number;
  readonly onAsk: () => void;
}

const Row = ({ rung, most, pays, fills, atMs, onAsk }: RowProps): JSX.Element => (
  <tr>
    <td>
      <Own quotes={rung.against} atMs={atMs} onAsk={onAsk} />
    </td>
    <Depth side="back" levels={rung.toBack} most={most} />
    <th scope="row">
      {priceText(rung.price)}
      <Ticks fills={fills} />
    </th>
    <Depth side="lay" levels={rung.toLay} most={most} />
    <td>
      <Own quotes={rung.for} atMs={atMs} onAsk={onAsk} />
    </td>
    {pays === null ? null : <td class={`closed ${pays < 0 ? 'bad' : 'good'}`}>{gain(pays)}</td>}
  </tr>
);

const stakeOf = (levels: readonly Level[]): number => levels.reduce((sum, [, stake]) => sum + stake, 0);

interface DepthProps {
  readonly side: 'back' | 'lay';
  readonly levels: readonly Level[];
  readonly most: number;
}

/** The stake at a price, with a bar. Its title has the exact prices. */
function Depth({ side, levels, most }: DepthProps): JSX.Element {
  if (levels.length === 0) return <td />;
  const stake = stakeOf(levels);
  return (
    <td
      class={side}
      style={{ '--depth': `${Math.round((100 * stake) / most)}%` }}
      title={levels.map(([at, each]) => `${whole(each)} at ${Number(at.toFixed(6))}`).join(', ')}
    >
      {whole(stake)}
    </td>
  );
}

interface OwnProps {
  readonly quotes: readonly LiveQuote[];
  readonly atMs: number;
  readonly onAsk: () => void;
}

/** Our orders at one price: unfilled stake, the stake ahead, and the age. A press explains them. */
function Own({ quotes, atMs, onAsk }: OwnProps): JSX.Element | null {
  const [first] = quotes;
  if (first === undefined) return null;
  const unfilled = quotes.reduce((sum, quote) => sum + quote.unfilled, 0);
  const isConfirmed = quotes.every((quote) => quote.isConfirmed);
  return (
    <button
      type="button"
      class={`own ${isConfirmed ? '' : 'unconfirmed'}`}
      title={quotes.map((quote) => ownInWords(quote, atMs)).join('\n')}
      onClick={onAsk}
    >
      {unfilled >= 100 ? whole(unfilled) : unfilled.toFixed(1)}{' '}
      <small>
        {first.ahead === null ? '?' : whole(first.ahead)}·
        {lengthInWords(atMs - first.sinceMs).replace(' ', '')}
      </small>
    </button>
  );
}

/** The last fills at a price, with what they were worth ten seconds later in the title. */
const Ticks = ({ fills }: { readonly fills: readonly LiveFill[] }): JSX.Element | null =>
  fills.length === 0 ? null : (
    <span class="ticks">
      {fills.slice(0, 2).map(({ betId, direction, markout10 }) => (
        <span
          key={betId}
          class={markout10 === null ? '' : markout10 >= 0 ? 'good' : 'bad'}
          title={`filled ${direction}${markout10 === null ? '' : `, ${percent(markout10)} after ten seconds`}`}
        >
          {direction === 'for' ? '▸' : '◂'}
        </span>
      ))}
    </span>
  );

interface MarkProps {
  readonly kind: 'fair' | 'middle';
  readonly price: number | null;
  readonly span: Span;
}

/** A line at a price, exact between rows. */
function Mark({ kind, price, span }: MarkProps): JSX.Element | null {
  const down = price === null ? null : rowsDown(price, span);
  if (down === null) return null;
  return <div class={`mark ${kind}`} aria-hidden="true" style={{ '--down': String(down) }} />;
}

/** The place of a ladder whose selection is not there yet: as high as one. */
export const NoLadder = ({ name }: { readonly name: string }): JSX.Element => (
  <section class="ladder panel" aria-label={`No ladder of ${name}`}>
    <h2>
      <span class="name">{name}</span>
    </h2>
    <p class="quiet line">Nothing is quoted, held or open here.</p>
    <div class="rows" style={ROWS} />
  </section>
);
