import type { SelectionId } from '../../../src/domain/ids.ts';
import type { HeldPrices } from '../../../src/market/index.ts';
import type { Levels, ReceivedMarket, ReceivedOffers } from '../received-offers.ts';
import { type Kind, offeredKind, ofSelection, type Side, sideOf, stakeOfSelection } from '../order-terms.ts';
import { isCreate, uuidOf } from '../witness.ts';
import type { Run } from '../world.ts';
import type { MakeJudgement } from './judge.ts';

const SIDES: readonly Side[] = ['for', 'against'];

/** 25: what the daemon holds of a market is what it last received of it, and nothing of what was taken away. */
export const offers: MakeJudgement = ({ world, plan, journal, fail }) => {
  const convention = plan.world.againstPrices ?? 'lay';
  const compare = (run: Run, received: ReceivedOffers, market: ReceivedMarket): void => {
    const held = heldBy(run, market);
    // An offer read over REST is dropped where it may be older than the stream's word. It replaces none that was never reported.
    if (received.isReadAlone(market) && held?.freshness !== 'fresh') return;
    const seen = differenceOf(
      received.offersOf(market),
      held,
      offeredKind(sideOf(market.betType) ?? 'for', convention),
    );
    if (seen !== null) fail('25 offers', `${market.betType} of ${market.eventId}: ${seen}`);
  };
  return {
    onSent(sent, { received }) {
      const place = isCreate(sent) ? journal.intended.get(uuidOf(sent))?.place : undefined;
      if (place === undefined || world.run === null) return;
      for (const side of SIDES)
        compare(world.run, received.offers, { ...place, betType: turned(place.betType, side) });
    },
    onEvent() {
      const { run } = world;
      if (run === null) return;
      for (const market of run.received.offers.takeGone()) compare(run, run.received.offers, market);
    },
    atRest() {
      const { run } = world;
      if (run === null) return;
      for (const ids of run.composed.engine.chosen.values())
        for (const id of ids) for (const side of SIDES) compare(run, run.received.offers, marketOf(id, side));
    },
  };
};

function differenceOf(
  received: ReturnType<ReceivedOffers['offersOf']>,
  held: HeldPrices | null,
  kind: Kind,
): string | null {
  if (received === null) return held === null ? null : 'held though it was taken away';
  if (received === undefined)
    return held?.freshness === 'fresh' ? 'used though this connection told none' : null;
  // Whoever tells what cannot be read changes nothing.
  if (received.includes(null)) return null;
  if (held === null) return 'told and not held';
  const same = received.some((levels) => isSame(inSelectionTerms(levels as Levels, kind), held.priceList));
  return same ? null : `held ${held.priceList.join(' ')}, told ${received.at(-1)?.join(' ')}`;
}

/** The daemon holds prices of the selection, and stakes at them in micros. */
const isSame = (received: Levels, held: readonly number[]): boolean =>
  received.length === held.length &&
  received.every((value, at) =>
    at % 3 === 0 || value === -1
      ? Math.abs(value - (held[at] ?? 0)) <= Math.abs(value) * ROUNDING
      : Math.abs(value * 1e6 - (held[at] ?? 0)) <= 1,
  );

const ROUNDING = 1e-12;

/** A price list as the daemon holds it: by falling price of the selection. */
function inSelectionTerms(levels: Levels, kind: Kind): Levels {
  if (ofSelection(kind, 3) === 3) return levels;
  const converted: number[] = [];
  for (let at = levels.length - 3; at >= 0; at -= 3) {
    const [price = NaN, min = NaN, max = NaN] = levels.slice(at, at + 3);
    const stake = (own: number): number => stakeOfSelection(kind, price, own);
    converted.push(ofSelection(kind, price), min === -1 ? -1 : stake(min), stake(max));
  }
  return converted;
}

function heldBy(run: Run, { sport, eventId, betType }: ReceivedMarket): HeldPrices | null {
  const side = sideOf(betType);
  if (side === null) return null;
  const id = `${sport}|${eventId}|${betType.slice(side.length + 1)}` as SelectionId;
  return run.composed.parts.core.market.selection(id)?.offers[side] ?? null;
}

const turned = (betType: string, side: Side): string => betType.replace(/^(for|against),/, `${side},`);

function marketOf(id: SelectionId, side: Side): ReceivedMarket {
  const [sport = '', eventId = '', ...outcome] = id.split('|');
  return { sport, eventId, betType: `${side},${outcome.join('|')}` };
}
