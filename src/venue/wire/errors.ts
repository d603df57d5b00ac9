import { VenueRejection, type VenueRejectionFacts } from '../../domain/errors.ts';

/**
 * A class per documented code of the REST envelope (specification, Errors). All extend `VenueRejection`, so a caller
 * can catch that and compare `code` instead.
 */

/** 400: `validation` has the reasons by field. The field of a rejected list item is `field.index`. */
export class ValidationError extends VenueRejection {}
/** 400: the order exists and is already closed or settled. */
export class OrderClosed extends VenueRejection {}
/** 400: the bet type cannot be read (bet-type lookup). */
export class InvalidBetType extends VenueRejection {}
/** 401: the key is missing, malformed or not accepted. Not retried. */
export class AuthError extends VenueRejection {}
/** 403: a valid key, but the action is not allowed. */
export class Forbidden extends VenueRejection {}
/** 403: the cap of open betslips is reached. */
export class TooManyOpenBetslips extends VenueRejection {}
/** 403: the market data feed does not know the account. */
export class InvalidCustomer extends VenueRejection {}
/** 404: unknown, or not visible to this key. */
export class NotFound extends VenueRejection {}
/** 409: the `request_uuid` was used before; `orderId` is the order that it made. */
export class OrderAlreadyCreated extends VenueRejection {}
/** 409: a cap of the customer was hit. */
export class LimitReached extends VenueRejection {}
/** 429: `retryAfterS` says when to try again. */
export class Throttled extends VenueRejection {}
/** 500: `details.token` is for the operator's support. The exchange may have acted. */
export class ServerError extends VenueRejection {}
/** 503: the market data feed is loading. */
export class Warming extends VenueRejection {}
/** 503 without an envelope: a proxy could not reach the exchange. */
export class Unavailable extends VenueRejection {}

type RejectionClass = new (
  code: string,
  status: number,
  message: string,
  facts?: VenueRejectionFacts,
) => VenueRejection;

const CLASSES: Readonly<Record<string, RejectionClass>> = {
  validation_error: ValidationError,
  order_closed: OrderClosed,
  invalid_bet_type: InvalidBetType,
  auth_error: AuthError,
  forbidden: Forbidden,
  too_many_open_betslips: TooManyOpenBetslips,
  invalid_customer: InvalidCustomer,
  not_found: NotFound,
  order_already_created: OrderAlreadyCreated,
  limit_reached: LimitReached,
  throttled: Throttled,
  server_error: ServerError,
  warming: Warming,
  unavailable: Unavailable,
};

/** Whether the code is documented. */
export const isKnownCode = (code: string): boolean => Object.hasOwn(CLASSES, code);

/** The rejection for a code. An undocumented code gives a plain `VenueRejection`. */
export function rejection(
  code: string,
  status: number,
  message: string,
  facts?: VenueRejectionFacts,
): VenueRejection {
  const Class = isKnownCode(code) ? (CLASSES[code] as RejectionClass) : VenueRejection;
  return new Class(code, status, message, facts);
}
