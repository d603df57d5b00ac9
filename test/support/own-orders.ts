import type { ExchangeProcess } from './exchange.ts';

/** An order as the exchange's control interface shows it. */
export interface SimOrder {
  readonly order_id: number;
  readonly request_uuid: string | null;
  readonly bet_type: string;
  readonly stake: number;
  readonly filled: number;
  readonly closed: boolean;
  readonly created: string;
  readonly closed_at: string | null;
  readonly user_data: string | null;
  readonly fills: readonly { readonly bet_id: number; readonly stake: number }[];
}

export const isOurs = (order: SimOrder): boolean => order.user_data?.startsWith('touchline/') === true;

/** All orders that Touchline ever placed there, open or not, by the exchange's control interface. */
export async function ownOrders({ control }: Pick<ExchangeProcess, 'control'>): Promise<readonly SimOrder[]> {
  const answer = await fetch(new URL('orders', control));
  const { data } = (await answer.json()) as { readonly data: readonly SimOrder[] };
  return data.filter(isOurs);
}

/** Returns a function that gives the own orders created since this call. */
export async function ownOrdersSince(
  exchange: Pick<ExchangeProcess, 'control'>,
): Promise<() => Promise<readonly SimOrder[]>> {
  const idsOf = (orders: readonly SimOrder[]): Set<number> => new Set(orders.map((order) => order.order_id));
  const earlier = idsOf(await ownOrders(exchange));
  return async () => (await ownOrders(exchange)).filter((order) => !earlier.has(order.order_id));
}
