import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import type { ExchangeClient, OrderDetails } from '../../../app/exchange/connect.ts';
import type { Config } from '../../../app/config/load.ts';
import type { CloseResult } from '../../../app/operate/close-orders.ts';
import { EXIT } from '../../../app/run/exit-codes.ts';
import { eventIdsNamed } from '../../../app/exchange/event-names.ts';
import { TouchlineError } from '../../../domain/errors.ts';
import { type ExchangePrices, reportedTerms } from '../../../domain/exchange-prices.ts';
import { directionOfKind } from '../../../domain/odds.ts';
import { type Participants, selectionName } from '../../../domain/selection-name.ts';
import { splitBetType } from '../../../domain/selection.ts';
import { isParlay } from '../../../domain/orders.ts';
import { reasonOf } from '../../../lib/reason.ts';
import type { OrderId, Sport } from '../../../domain/ids.ts';
import { checkSpan, parseInstantMs, parseInteger, parseText } from '../../input/arguments.ts';
import {
  configOf,
  exchangeCommand,
  IDS,
  type ExchangeOptions,
  type PriceOptions,
  report,
  type Report,
  withPriceOption,
} from '../../input/exchange-command.ts';
import { checkCodes, instant, parseOrderId, parseSport, priceIs, several, usdt } from '../../input/values.ts';
import type { Row } from '../../output/output.ts';

interface OrdersOptions extends ExchangeOptions, PriceOptions {
  readonly status?: readonly string[];
  readonly sport?: readonly Sport[];
  readonly event?: readonly string[];
  readonly ids?: boolean;
  readonly from?: number;
  readonly to?: number;
  readonly limit: number;
}

/** `touchline exchange orders`: the first orders of the account that the exchange lists, newest first. */
export function ordersCommand(): Command {
  return withPriceOption(exchangeCommand('orders', 'list the account’s orders'))
    .option('--status <status>', 'only this status, for example open; repeatable', several(parseText))
    .option('--sport <code>', 'only this sport; repeatable', several(parseSport))
    .option(
      '--event <name>',
      'only this event: its name, a unique part of it, or its id; repeatable',
      several(parseText),
    )
    .option('--from <instant>', 'only orders from this instant on', parseInstantMs)
    .option('--to <instant>', 'only orders before this instant', parseInstantMs)
    .option('--limit <n>', 'list at most this many orders', parseInteger(1, 100_000), 100)
    .option('--ids', IDS)
    .action((options: OrdersOptions) =>
      report(options, (exchange, config) => listOrders(exchange, options, config)),
    );
}

async function listOrders(exchange: ExchangeClient, options: OrdersOptions, config: Config): Promise<Report> {
  checkSpan(options);
  checkCodes('--sport', options.sport, config.exchange.otherCodes);
  const { ORDER_STATUSES } = await import('../../../app/exchange/connect.ts');
  const { pricesFor } = await import('../../../app/exchange/price-convention.ts');
  const unknown = (options.status ?? []).filter((status) => !ORDER_STATUSES.has(status));
  for (const status of unknown) warnOfStatus(status, ORDER_STATUSES);
  const filter = {
    ...(options.status === undefined ? {} : { statuses: options.status }),
    ...(options.sport === undefined ? {} : { sports: options.sport }),
    ...(options.event === undefined
      ? {}
      : { eventIds: await eventIdsNamed(exchange, options.event, options.sport) }),
    ...(options.from === undefined ? {} : { fromMs: options.from }),
    ...(options.to === undefined ? {} : { toMs: options.to }),
    pageSize: Math.min(1000, options.limit),
  };
  const orders: OrderDetails[] = [];
  for await (const order of exchange.allOrders(filter)) {
    if (orders.push(order) >= options.limit) break;
  }
  const prices = pricesFor(config, options.againstPrices);
  const sorted = orders.sort(newestFirst);
  return {
    rows: sorted.map((order) => shownOrder(order, prices, options.ids === true)),
    json: sorted.map((order) => orderRow(order, prices)),
    none: 'no orders',
  };
}

/** Only a warning: the exchange may use the status by now. It answers an unknown one with an empty list. */
function warnOfStatus(status: string, published: ReadonlySet<string>): void {
  const known = [...published].join(', ');
  process.stderr.write(`touchline: --status ${status}: not a published one (${known})\n`);
}

/** The exchange does not document the order of its list. */
const newestFirst = (a: OrderDetails, b: OrderDetails): number =>
  (b.placementTimeMs ?? 0) - (a.placementTimeMs ?? 0) || b.orderId - a.orderId;

/** Prices and stakes as the exchange has them, and what the prices are. */
export const orderRow = (order: OrderDetails, prices: ExchangePrices): Row => {
  const kind = isParlay(order)
    ? 'odds-for'
    : reportedTerms(order.betType, order.orderType, prices)?.priceKind;
  return {
    order_id: order.orderId,
    status: order.status,
    end: endOf(order),
    event: order.eventInfo?.eventName ?? null,
    event_id: order.eventId,
    ...sideOf(order),
    direction: kind === undefined ? null : directionOfKind(kind),
    bet_type: order.betType,
    price: order.wantPrice,
    price_is: priceIs(kind),
    stake_usdt: usdt(order.wantStakeMicros),
    matched_usdt: usdt(matchedMicros(order)),
    average_price: order.price,
    placed: instant(order.placementTimeMs),
    expires: instant(order.expiryTimeMs),
    close_reason: order.closeReason,
    profit_usdt: usdt(order.profitLossMicros),
    user_data: order.userData,
  };
};

/** The name of the selection, and the side of it that the exchange's market names. The exchange describes a parlay itself. */
function sideOf({ betType, betTypeDescription, eventInfo }: OrderDetails): Row {
  const parts = splitBetType(betType);
  if (parts === null) return { selection: betTypeDescription || betType, side: null };
  const who = eventInfo === null ? { home: '', away: '', teams: [] } : participantsOf(eventInfo);
  return { selection: selectionName(parts.outcome, who), side: parts.direction };
}

const participantsOf = ({
  homeTeam,
  awayTeam,
  teams,
}: NonNullable<OrderDetails['eventInfo']>): Participants => ({ home: homeTeam, away: awayTeam, teams });

/**
 * For people: how an ended order ended in the place of the exchange's status, which calls a cancelled one failed, and the direction in the
 * place of the market's side, on which a lay is an order against the selection; ids on request.
 */
function shownOrder(order: OrderDetails, prices: ExchangePrices, ids: boolean): Row {
  const { end, event_id, side, bet_type, user_data, ...row } = orderRow(order, prices);
  return {
    ...row,
    status: end ?? order.status,
    ...(ids ? { event_id, market_side: side, bet_type, user_data } : {}),
  };
}

/** How an order ended, in the words of exchanges; null while it is open. Part of it may be matched unless it was filled. */
function endOf({ closed, closeReason, status }: OrderDetails): string | null {
  if (!closed) return null;
  if (closeReason === 'order_filled') return 'filled';
  if (closeReason === 'timed_out' || closeReason === 'expired') return 'lapsed';
  return closeReason ?? status;
}

const matchedMicros = (order: OrderDetails): number =>
  order.bets.reduce((sum, bet) => sum + (bet.statusCode === 'success' ? (bet.gotStakeMicros ?? 0) : 0), 0);

/** `touchline exchange order ID`: one order with its bets. */
export function orderCommand(): Command {
  return withPriceOption(exchangeCommand('order', 'show one order and its bets'))
    .argument('<id>', 'order id', parseOrderId)
    .option('--ids', IDS)
    .action((id: OrderId, options: ExchangeOptions & PriceOptions & { readonly ids?: boolean }) =>
      report(options, async (exchange, config) => {
        const { pricesFor } = await import('../../../app/exchange/price-convention.ts');
        const order = await exchange.orders.get(id);
        const prices = pricesFor(config, options.againstPrices);
        const row = orderRow(order, prices);
        const shownRow = shownOrder(order, prices, options.ids === true);
        const rows = [...fieldsOf(shownRow), ...order.bets.flatMap((bet) => fieldsOf(betRow(bet)))];
        const json = { ...row, bets: order.bets.map(betRow) };
        return { rows, json, none: '' };
      }),
    );
}

const fieldsOf = (row: Row): Row[] =>
  Object.entries(row).map(([field, value]) => ({ field, value: shown(value) }));

/** Numbers as text, so that a column of mixed values is left-aligned. */
const shown = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value);

const betRow = (bet: OrderDetails['bets'][number]): Row => ({
  bet_id: bet.betId,
  bet_status: bet.statusCode,
  got_price: bet.gotPrice,
  got_stake_usdt: usdt(bet.gotStakeMicros),
  role: bet.exchangeRole,
  bet_profit_usdt: usdt(bet.profitLossMicros),
});

/** `touchline exchange close ID…` */
export function closeCommand(): Command {
  return exchangeCommand('close', 'close orders by their ids')
    .argument('<id...>', 'order ids', several(parseOrderId))
    .action((ids: readonly OrderId[], options: ExchangeOptions) =>
      report(options, async (exchange) => {
        const { closeOrders } = await import('../../../app/operate/close-orders.ts');
        return closeReport(await closeOrders(exchange, ids));
      }),
    );
}

function closeReport(results: readonly CloseResult[]): Report {
  const rows = results.map(({ orderId, result, why }): Row => {
    return { order_id: orderId, result, ...(why === undefined ? {} : { why }) };
  });
  const failed = results.some(({ result }) => !['closed', 'was closed already'].includes(result));
  return { rows, none: 'nothing was open', exitCode: failed ? EXIT.failure : EXIT.ok };
}

interface FlattenOptions extends ExchangeOptions {
  readonly account?: boolean;
  readonly yes?: boolean;
  readonly pause?: boolean;
}

/** `touchline exchange flatten`: closes Touchline's orders, or every order. */
export function flattenCommand(): Command {
  return exchangeCommand('flatten', 'close every open order that Touchline placed')
    .option('--account', 'close every open order of the account, also those placed by hand or by others')
    .option('--pause', 'first pause the daemon, which would otherwise quote again')
    .option('-y, --yes', 'do not ask')
    .action(async (options: FlattenOptions) => {
      if (options.account === true && options.yes !== true) await confirm();
      await quietDaemon(options);
      await report(options, async (exchange) => {
        const { closeOurOrders, closeWholeAccount } = await import('../../../app/operate/close-orders.ts');
        const close = options.account === true ? closeWholeAccount : closeOurOrders;
        return closeReport(await close(exchange));
      });
    });
}

/** Pauses a daemon that is there, or says that it will quote again. A failed pause is reported: the orders are closed anyway. */
async function quietDaemon(options: FlattenOptions): Promise<void> {
  const operation = {
    config: async () => (await configOf(options)).values,
    url: null,
  };
  const warn = (text: string): void => void process.stderr.write(`touchline: ${text}\n`);
  const { isDaemonThere, pause } = await import('../../../app/operate/operate.ts');
  try {
    if (!(await isDaemonThere(operation))) return;
    if (options.pause !== true)
      return warn('a daemon is running and will quote again: use --pause to stop that');
    await pause(operation, 'flatten --pause');
    warn('the daemon is paused: touchline resume --reason TEXT lets it quote again');
  } catch (error) {
    warn(`the daemon is not paused: ${reasonOf(error)}`);
  }
}

/** Asks for confirmation on the terminal. Throws TouchlineError `usage` without a terminal, and `cancelled` on a no. */
async function confirm(): Promise<void> {
  if (!process.stdin.isTTY) {
    throw new TouchlineError('usage', '--account closes other people’s orders too: confirm with --yes');
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(
    'Close EVERY open order of the account, whoever placed it? [yes/no] ',
  );
  terminal.close();
  if (answer.trim().toLowerCase() !== 'yes') throw new TouchlineError('cancelled', 'nothing was closed');
}
