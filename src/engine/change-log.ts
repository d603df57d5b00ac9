import type { AccountChange } from '../account/changes.ts';
import type { Fill, LiveOrder } from '../domain/live-order.ts';
import { priceOf } from '../domain/ladder.ts';
import type { Logger } from '../ports/logger.ts';

/** Writes new states of orders, and new fills, to the log. `ownerOf`: the strategy of a fill. */
export function logChange(
  logger: Logger,
  change: AccountChange,
  ownerOf: (fill: Fill) => string | null,
): void {
  if (change.kind === 'order' && change.order.state !== change.before) logState(logger, change.order);
  else if (change.kind === 'booked' && !change.isRecorded) logFill(logger, change.fill, ownerOf(change.fill));
}

function logState(logger: Logger, order: LiveOrder): void {
  const { requestUuid, orderId, selectionId, direction, tick, stakeMicros, filledMicros, closeReason } =
    order;
  const fields = { requestUuid, orderId, selectionId, direction, price: priceOf(tick), stakeMicros };
  const { state } = order;
  if (state === 'prepared' || state === 'sending')
    logger.debug(`order ${state}`, { ...fields, filledMicros, closeReason });
  else logger.info(`order ${state}`, { ...fields, filledMicros, closeReason });
}

function logFill(logger: Logger, fill: Fill, strategy: string | null): void {
  const { betId, orderId, selectionId, direction, price, stakeMicros, role } = fill;
  const fields = { betId, orderId, strategy, selectionId, direction, price, stakeMicros, role };
  logger.info('fill', fields);
}
