import { BALANCE_READINGS, type BalanceReading } from '../../../history/money.ts';
import { type Mode, MODE_NAMES, MODES, modesWith } from '../../../domain/mode.ts';
import { LOG_LEVELS, type LogLevel } from '../../../ops/logger.ts';
import { PRICE_CONVENTIONS, type PriceConvention } from '../../../domain/odds.ts';
import {
  AGAINST_PRICES,
  type AgainstPrices,
  SECOND_SIDE_CHOICES,
  type SecondSideChoice,
} from '../../../engine/convention/settings.ts';
import { FILL_MODELS } from '../../../fills/scenarios.ts';
import { DEFAULT_SETTINGS, LIMIT_READINGS, type LimitReading } from '../../../simulator/core/settings.ts';
import { integer, number, someText, timeZone, url } from './formats.ts';
import { notifySchema } from './notify-schema.ts';
import { ordersSchema } from './orders-schema.ts';
import { strategySchema } from './strategy-schema.ts';

const MANDATORY_LIMITS = modesWith((mode) => mode.limitsAreMandatory);
const IN_MEMORY = modesWith((mode) => mode.journal.mayBeInMemory);

/** Every key of a configuration; the last word of a key is its unit. `live` marks keys that may change while the daemon runs. */
export const configSchema = {
  mode: {
    doc: MODE_NAMES.map((mode) => `${mode}: ${MODES[mode].meaning}`).join('; '),
    format: [...MODE_NAMES],
    default: 'simulated' as Mode,
    env: 'TOUCHLINE_MODE',
  },
  exchange: {
    restUrl: {
      doc: 'REST base address, which ends in /v2/; http:// only on this machine',
      format: url('http:', 'https:'),
      default: '' as string,
      env: 'TOUCHLINE_REST_URL',
    },
    streamUrl: {
      doc: 'stream address; ws:// only on this machine',
      format: url('ws:', 'wss:'),
      default: '' as string,
      env: 'TOUCHLINE_STREAM_URL',
    },
    apiKey: {
      doc: 'API key; only from the environment, never from a file of settings',
      format: String,
      default: '' as string,
      sensitive: true,
      env: 'TOUCHLINE_API_KEY',
    },
    apiKeyFile: {
      doc: 'file that holds only the API key; a service manager credential named api_key is found without this',
      format: String,
      default: '' as string,
      env: 'TOUCHLINE_API_KEY_FILE',
    },
    otherCodes: {
      doc: 'sport and market codes that the exchange uses and this program does not know',
      format: 'texts',
      default: [] as string[],
      live: true,
    },
    againstPrices: {
      doc: 'what the prices of "against" markets are: odds on that bet, or lay prices of the selection; auto: proven from the stream before the first order',
      format: [...AGAINST_PRICES],
      default: 'auto' as AgainstPrices,
    },
    secondSide: {
      doc: 'how to place orders against a selection where "against" prices are odds: on the "against" market, or on a lay betslip; auto: the finer tick of those that "touchline prove" found visible, else "against"',
      format: [...SECOND_SIDE_CHOICES],
      default: 'auto' as SecondSideChoice,
    },
    requestTimeoutS: {
      doc: 'longest wait for an answer of the exchange',
      format: number(0.5, 120),
      default: 10,
    },
    commissionRate: {
      doc: 'commission of the exchange, as a share of the net winnings of an event; profit is shown after commission',
      format: number(0, 0.5),
      default: 0,
      live: true,
    },
  },
  strategy: strategySchema,
  hedge: {
    boundAtShare: {
      doc: 'bound an event once its worst case passes this share of risk.worstCase.eventUsdt; 0: never',
      format: number(0, 1),
      default: 0,
      live: true,
    },
    boundToShare: {
      doc: 'the share of that limit to which boundAtShare brings the worst case',
      format: number(0, 1),
      default: 0.5,
      live: true,
    },
    offsetTicks: {
      doc: 'after a fill, offer the other side so many ticks better; 0: never',
      format: integer(0, 300),
      default: 0,
      live: true,
    },
    stopTicks: {
      doc: 'flatten a selection that can be closed only so many ticks worse than its average price; 0: never',
      format: integer(0, 300),
      default: 0,
      live: true,
    },
    greenUpBeforeS: {
      doc: 'equalise the markets of an event so long before its start; 0: never',
      format: number(0, 86400),
      default: 0,
      live: true,
    },
    greenUpMinute: {
      doc: 'equalise the markets of an event from this minute of play on; 0: never',
      format: integer(0, 200),
      default: 0,
      live: true,
    },
  },
  universe: {
    sports: { doc: 'sport codes to quote; empty: all', format: 'texts', default: [] as string[], live: true },
    competitions: {
      doc: 'competitions to quote, by name or id; empty: all',
      format: 'texts',
      default: [] as string[],
      live: true,
    },
    marketTypes: {
      doc: 'market families to quote; empty: all',
      format: 'texts',
      default: [] as string[],
      live: true,
    },
    startWithinMinutes: {
      doc: 'quote events that start within this time',
      format: number(0, 20160),
      default: 1440,
      live: true,
    },
    stopBeforeStartS: {
      doc: 'stop quoting this long before the start of an event',
      format: number(0, 86400),
      default: 0,
      live: true,
    },
    inPlay: { doc: 'quote events in play', format: Boolean, default: false, live: true },
    minLiquidityUsdt: {
      doc: 'quote only selections with at least this stake offered in each direction',
      format: number(0, 1e9),
      default: 0,
      live: true,
    },
    maxEvents: { doc: 'quote at most this many events', format: integer(1, 1000), default: 4, live: true },
    maxSelections: {
      doc: 'quote at most this many selections',
      format: integer(1, 10000),
      default: 4,
      live: true,
    },
    minQuotedRatio: {
      doc: 'while a smaller part of the chosen selections is quoted, status and dashboard turn amber and name the reasons; 0: never',
      format: number(0, 1),
      default: 0.8,
      live: true,
    },
  },
  market: {
    staleAfterS: { doc: 'do not quote on prices older than this', format: number(1, 600), default: 15 },
  },
  orders: ordersSchema,
  risk: { doc: `limits; mandatory in ${MANDATORY_LIMITS} mode`, format: 'object', default: {} as object },
  tradingDay: {
    timeZone: {
      doc: 'time zone of the trading day, by which profit, limits and reconciliation count',
      format: timeZone,
      default: 'UTC' as string,
    },
    startHour: {
      doc: 'local hour at which a trading day begins',
      format: integer(0, 23),
      default: 0,
    },
  },
  journal: {
    path: {
      doc: `SQLite file, best by its full path; empty: kept in memory (${IN_MEMORY} mode only)`,
      format: String,
      default: '' as string,
      env: 'TOUCHLINE_JOURNAL',
    },
    retentionDays: {
      doc: 'records older than this are deleted once unneeded; 0 keeps all',
      format: number(0, 3650),
      default: 30,
      live: true,
    },
  },
  history: {
    retentionDays: {
      doc: 'fills and results older than this are deleted from the history; the sums of each day are kept',
      format: number(7, 3650),
      default: 400,
    },
  },
  record: {
    path: {
      doc: 'folder for a recording of the run, best by its full path; empty: record nothing',
      format: String,
      default: '' as string,
      env: 'TOUCHLINE_RECORD',
    },
    maxMb: {
      doc: 'largest size of the recording in MiB: beyond it the oldest segments are deleted; 0: no limit',
      format: integer(0, 100_000_000),
      default: 10_000,
    },
    turns: {
      doc: 'also record turns and decisions, which a replay needs and which cost most processor time and disk',
      format: Boolean,
      default: true,
    },
  },
  reconciliation: {
    balance: {
      doc: 'whole: the exchange’s balance contains the stakes at risk; available: they are deducted from it',
      format: [...BALANCE_READINGS],
      default: 'whole' as BalanceReading,
    },
  },
  ops: {
    // An empty host would make the server listen at every address of the machine.
    host: { doc: 'address of metrics and health', format: someText, default: '127.0.0.1' },
    port: {
      doc: 'port of metrics and health; 0: any',
      format: integer(0, 65535),
      default: 9464,
      env: 'TOUCHLINE_OPS_PORT',
    },
    killFile: {
      doc: 'while this file exists, and until a person resumes, all trading is stopped; best on another disk, where it survives a reboot; empty: none',
      format: String,
      default: '' as string,
      env: 'TOUCHLINE_KILL_FILE',
    },
  },
  admin: {
    host: { doc: 'address of the admin interface', format: someText, default: '127.0.0.1' },
    port: {
      doc: 'port of the admin interface; 0: any',
      format: integer(0, 65535),
      default: 9465,
      env: 'TOUCHLINE_ADMIN_PORT',
    },
    hosts: {
      doc: 'names under which clients address this machine, for metrics and admin interface; IP addresses and localhost always work',
      format: 'texts',
      default: [] as string[],
    },
    tokens: {
      doc: 'folder of the tokens read, reduce and control; empty: beside the journal, with its name and .tokens',
      format: String,
      default: '' as string,
    },
    certFile: {
      doc: 'certificate (PEM) of the admin interface; empty: plain HTTP',
      format: String,
      default: '' as string,
    },
    keyFile: { doc: 'private key (PEM) of the certificate', format: String, default: '' as string },
    behindProxy: {
      doc: 'a proxy on this machine ends TLS for clients of other machines',
      format: Boolean,
      default: false,
    },
  },
  notify: notifySchema,
  log: {
    level: {
      doc: 'lowest level that is logged',
      format: [...LOG_LEVELS],
      default: 'info' as LogLevel,
      live: true,
      env: 'TOUCHLINE_LOG_LEVEL',
    },
  },
  paper: {
    balanceUsdt: { doc: 'starting balance of the paper account', format: number(0, 1e9), default: 1000 },
    fills: {
      doc: 'when a paper order is matched: queue, behind the stake that was there before it; touch, as soon as an offer reaches its price; through, only when one goes beyond it',
      format: Object.keys(FILL_MODELS),
      default: 'queue' as keyof typeof FILL_MODELS,
    },
    betslips: {
      doc: 'who quotes paper betslips: embedded, the offers, at no cost; real, the exchange, which each time counts one of the account’s betslips of the day (its open cap and day are bounded by paper.share)',
      format: ['embedded', 'real'],
      default: 'embedded' as 'embedded' | 'real',
    },
    share: {
      doc: 'share of the account’s limits on requests, betslips and registered events that a paper run may use; a live daemon beside it keeps the rest',
      format: number(0.01, 1),
      default: 0.25,
    },
    registeredEvents: {
      doc: 'events that the account may register on all its connections, of which a paper run takes its share; the exchange does not publish the number',
      format: integer(1, 100_000),
      default: 100,
    },
    minOrderStakeUsdt: {
      doc: 'refuse paper orders below this stake; 0 accepts any',
      format: number(0, 1e6),
      default: 1,
    },
    placementDelay: {
      doc: 'multiply the time that an exchange takes to place an order, which is 0.15 to 0.45 s, and 0.5 to 1.5 s more in play; the measured time of a request comes on top',
      format: number(0, 100),
      default: 1,
    },
  },
  simulator: {
    seed: { doc: 'seed of the modelled market', format: integer(0, 2 ** 31 - 1), default: 1 },
    speed: { doc: 'run matches this many times faster', format: number(0.01, 10000), default: 1 },
    againstPrices: {
      doc: 'what the prices of `against` markets are: odds on that bet, or lay prices of the selection; recorded markets keep lay prices',
      format: [...PRICE_CONVENTIONS],
      default: DEFAULT_SETTINGS.priceConvention as PriceConvention,
    },
    balanceUsdt: { doc: 'starting balance', format: number(0, 1e9), default: 10000 },
    minOrderStakeUsdt: {
      doc: 'refuse orders below this stake; 0 accepts any',
      format: number(0, 1e6),
      default: 1,
    },
    makerMinimums: {
      doc: 'multiply the minimum stakes of the modelled market’s makers, which are 1 to 10 USDT; 0 removes them',
      format: number(0, 1000),
      default: 1,
    },
    placementDelay: {
      doc: 'multiply the usual placement delay, which is 0.15 to 0.45 s, and 0.5 to 1.5 s more in play; 0 places orders at once',
      format: number(0, 100),
      default: 1,
    },
    limits: {
      doc: 'how to read the request limits that the specification leaves open',
      format: [...LIMIT_READINGS],
      default: 'strict' as LimitReading,
    },
  },
};
