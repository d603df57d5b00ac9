import { ProtocolError } from '../../domain/errors.ts';
import type { Score } from '../../domain/events.ts';
import { betslipId, type BetslipId } from '../../domain/ids.ts';
import type { BetslipRequest } from '../../domain/orders.ts';
import type { CallOptions } from '../../ports/venue.ts';
import { readBetslip } from '../wire/betslips.ts';
import { lenientArrayReader, type Reader, readNothing } from '../wire/reader.ts';
import type { BetslipDetails } from '../wire/resources.ts';
import { isRecord } from '../wire/scalars.ts';
import { pathOf, type RestClient, segment } from './client.ts';

/** All fields of the create request. */
export interface BetslipCreation extends Omit<BetslipRequest, 'betslipType'> {
  readonly betslipType?: 'normal' | 'lay';
  readonly equivalentBets?: boolean;
  readonly excludeDanger?: boolean;
  readonly liveScore?: Score;
  readonly userData?: string;
}

/** A bet on 2 to 10 selections that must all win. */
export interface ParlayCreation {
  readonly legs: readonly (Omit<BetslipRequest, 'betslipType'> & { readonly liveScore?: Score })[];
  readonly equivalentBets?: boolean;
  readonly excludeDanger?: boolean;
  readonly userData?: string;
}

/** Betslips: interest in one selection, and its private quote (specification, Betslips). */
export class BetslipsApi {
  readonly #client: RestClient;

  constructor(client: RestClient) {
    this.#client = client;
  }

  /** `GET /v2/betslips/`: the ids of open betslips. */
  list(options?: CallOptions): Promise<readonly BetslipId[]> {
    return this.#client.get('GET /v2/betslips/', pathOf('betslips/'), readIds, options);
  }

  /** `POST /v2/betslips/`. The answer has no prices yet. Retried only when it is certain that none was made. */
  create(request: BetslipCreation, options?: CallOptions): Promise<BetslipDetails> {
    const { betType, betslipType = 'normal' } = request;
    // A betslip of the other type has other prices: an order on it would be another bet.
    const isOfType = (slip: BetslipDetails): boolean => ['', betslipType].includes(slip.betslipType);
    return this.#create(creationBody(request), options, (slip) => slip.betType === betType && isOfType(slip));
  }

  /** `POST /v2/betslips/` with `betslip_type` `parlay`. */
  createParlay(request: ParlayCreation, options?: CallOptions): Promise<BetslipDetails> {
    return this.#create(parlayBody(request), options, () => true);
  }

  /** `GET /v2/betslips/{betslip_id}/`, with prices once they have come. */
  get(id: BetslipId, options?: CallOptions): Promise<BetslipDetails> {
    const read = expecting((slip) => slip.betslipId === id);
    return this.#client.get(
      'GET /v2/betslips/{betslip_id}/',
      pathOf(`betslips/${segment(id)}/`),
      read,
      options,
    );
  }

  /** `POST /v2/betslips/{betslip_id}/refresh/`: extends the expiry. */
  refresh(id: BetslipId, options?: CallOptions): Promise<void> {
    const name = 'POST /v2/betslips/{betslip_id}/refresh/';
    const path = pathOf(`betslips/${segment(id)}/refresh/`);
    return this.#client.call({ name, path, repeat: 'safe', read: readNothing }, options);
  }

  /** `DELETE /v2/betslips/{betslip_id}/`: frees its place under the cap. An order placed on it stays open. */
  delete(id: BetslipId, options?: CallOptions): Promise<void> {
    const name = 'DELETE /v2/betslips/{betslip_id}/';
    const path = pathOf(`betslips/${segment(id)}/`);
    return this.#client.call({ name, path, repeat: 'safe', read: readNothing }, options);
  }

  #create(
    body: unknown,
    options: CallOptions | undefined,
    fits: (slip: BetslipDetails) => boolean,
  ): Promise<BetslipDetails> {
    return this.#client.call(
      {
        name: 'POST /v2/betslips/',
        path: pathOf('betslips/'),
        body,
        lane: 'betslips',
        repeat: 'unsafe',
        read: expecting((slip) => slip.betType === '' || fits(slip)),
      },
      options,
    );
  }
}

/** Each item is a bare id, or an object that has one. One that cannot be read is left out. */
const readIds: Reader<readonly BetslipId[]> = lenientArrayReader('betslips', (raw) => {
  const id = isRecord(raw) ? raw['betslip_id'] : raw;
  if (typeof id !== 'string') throw new ProtocolError('unreadable betslips: expected ids');
  return betslipId(id);
});

const expecting =
  (fits: (slip: BetslipDetails) => boolean): Reader<BetslipDetails> =>
  (raw, survey) => {
    const slip = readBetslip(raw, survey);
    if (!fits(slip)) throw new ProtocolError('the answer is about another betslip');
    return slip;
  };

const selectionBody = (selection: Omit<BetslipRequest, 'betslipType'> & { readonly liveScore?: Score }) => ({
  sport: selection.sport,
  event_id: selection.eventId,
  bet_type: selection.betType,
  live_score:
    selection.liveScore === undefined
      ? undefined
      : { home: selection.liveScore[0], away: selection.liveScore[1] },
});

const creationBody = (request: BetslipCreation) => ({
  ...selectionBody(request),
  betslip_type: request.betslipType ?? 'normal',
  equivalent_bets: request.equivalentBets,
  exclude_danger: request.excludeDanger,
  user_data: request.userData,
});

const parlayBody = (request: ParlayCreation) => ({
  betslip_type: 'parlay',
  legs: request.legs.map(selectionBody),
  equivalent_bets: request.equivalentBets,
  exclude_danger: request.excludeDanger,
  user_data: request.userData,
});
