import { type Clock, sleep } from '../../src/ports/clock.ts';
import type { HttpTransport } from '../../src/ports/transport.ts';

const TIMEOUT_MS = 5_000;
const QUOTE_MS = 4_000;
const STAKE_USDT = 5;
/** Far enough from the market to rest, or far enough into it to take. */
const FAR = 1.5;
const LOWEST_PRICE = 1.02;

/** A person's wanted bet, and whether the order rests or takes. */
interface Wish {
  readonly sport: string;
  readonly eventId: string;
  readonly rests: boolean;
  /** What prices of `against` bet types are; absent for `lay`. */
  readonly againstPrices?: 'odds' | 'lay';
}

interface Hand {
  readonly http: HttpTransport;
  readonly clock: Clock;
  readonly key: string;
}

/** A person places an order on the account, on the exchange's own page, and gives up on the first refusal. */
export async function placeByHand(hand: Hand, wish: Wish): Promise<boolean> {
  const { sport, eventId, rests, againstPrices } = wish;
  const query = new URLSearchParams({ sport, event_id: eventId });
  const offers = await ask<{ bet_type: string }[]>(hand, 'GET', `/v2/offers/?${query.toString()}`);
  const betType = offers?.[0]?.bet_type;
  if (betType === undefined) return false;
  const wanted = { sport, event_id: eventId, bet_type: betType, betslip_type: 'normal' };
  const betslip = await ask<{ betslip_id: string }>(hand, 'POST', '/v2/betslips/', wanted);
  if (betslip === null) return false;
  await sleep(hand.clock, QUOTE_MS);
  const path = `/v2/betslips/${betslip.betslip_id}/`;
  const quoted = await ask<{ price_list?: { effective: { price: number } }[] }>(hand, 'GET', path);
  const best = quoted?.price_list?.[0]?.effective.price;
  if (best === undefined) return false;
  const higherIsBetter = betType.startsWith('for,') || againstPrices === 'odds';
  const higher = higherIsBetter === rests;
  const order = {
    betslip_id: betslip.betslip_id,
    price: Math.max(LOWEST_PRICE, higher ? best * FAR : best / FAR),
    stake: ['USDT', STAKE_USDT],
    duration: 60,
  };
  return (await ask(hand, 'POST', '/v2/orders/', order)) !== null;
}

async function ask<T>(
  hand: Hand,
  method: 'GET' | 'POST',
  path: string,
  body: object | null = null,
): Promise<T | null> {
  const headers = { 'x-api-key': hand.key, 'content-type': 'application/json' };
  const text = body === null ? null : JSON.stringify(body);
  try {
    const answer = await hand.http.send({ method, path, headers, body: text, timeoutMs: TIMEOUT_MS });
    const envelope = JSON.parse(answer.body) as { status: string; data: T };
    return envelope.status === 'ok' ? envelope.data : null;
  } catch {
    return null;
  }
}
