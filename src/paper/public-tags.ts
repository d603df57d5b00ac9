/**
 * The entries of the real stream that a paper run may see. All others are left out and counted: what speaks of the real account
 * (`order`, `bet`, `balance`, `betslip`, `betslip_closed`, `pmm`), and tags that are not known. Of betslips that the run itself opened
 * on the real exchange, `paired-betslips.ts` lets the entries through.
 */
const PUBLIC: ReadonlySet<string> = new Set([
  'event',
  'remove_event',
  'clear_events',
  'sync',
  'offer',
  'remove_offer',
  'response',
  'info',
  'xrate',
  'event_time',
  'event_score',
  'event_red_cards',
  'ir_info',
  'remove_ir_info',
  'event_exchange_dark_liquidity',
]);

/** The entries about the account. On the stream of the embedded exchange, only these pass. */
export const ACCOUNT_TAGS = ['order', 'bet', 'balance', 'betslip', 'betslip_closed', 'pmm'] as const;

const OF_BETSLIP: ReadonlySet<string> = new Set(['betslip', 'betslip_closed', 'pmm']);

const OF_ACCOUNT: ReadonlySet<string> = new Set(ACCOUNT_TAGS);

export const isPublic = (tag: string): boolean => PUBLIC.has(tag);

export const isOfAccount = (tag: string): boolean => OF_ACCOUNT.has(tag);

export const isOfBetslip = (tag: string): boolean => OF_BETSLIP.has(tag);
