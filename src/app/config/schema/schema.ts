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
      doc: 'REST base address, ends in /v2/; http:// on this machine alone',
      format: url('http:', 'https:'),
      default: '' as string,
      env: 'TOUCHLINE_REST_URL',
    },
    streamUrl: {
      doc: 'stream address; ws:// on this machine alone',
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
      doc: 'file that holds the API key alone; a service manager credential named api_key is found by itself',
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
      doc: 'how orders against a selection go out where "against" prices are odds: on the "against" market, or on a lay betslip; auto: the finer tick of those that "touchline prove" found visible, else "against"',
      format: [...SECOND_SIDE_CHOICES],
      default: 'auto' as SecondSideChoice,
    },
    requestTimeoutS: { doc: 'longest wait for an answer', format: number(0.5, 120), default: 10 },
    commissionRate: {
      doc: 'share of the net winnings of an event that the exchange keeps as commission; profit is shown after it',
      format: number(0, 0.5),
      default: 0,
      live: true,
    },
  },
  strategy: strategySchema,
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
      doc: 'stop this long before the start',
      format: number(0, 86400),
      default: 0,
      live: true,
    },
    inPlay: { doc: 'quote events in play', format: Boolean, default: false, live: true },
    minLiquidityUsdt: {
      doc: 'least stake offered in each direction',
      format: number(0, 1e9),
      default: 0,
      live: true,
    },
    maxEvents: { doc: 'quote at most so many events', format: integer(1, 1000), default: 4, live: true },
    maxSelections: {
      doc: 'quote at most so many selections',
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
    staleAfterS: { doc: 'prices older than this are not quoted on', format: number(1, 600), default: 15 },
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
      doc: 'records older than this are let go of once nothing needs them any more; 0: all stay',
      format: number(0, 3650),
      default: 30,
      live: true,
    },
  },
  history: {
    retentionDays: {
      doc: 'fills and results older than this are deleted from the history; the sums of their days stay',
      format: number(7, 3650),
      default: 400,
    },
  },
  record: {
    path: {
      doc: 'folder in which the run is recorded beside trading, best by its full path; empty: nothing is recorded',
      format: String,
      default: '' as string,
      env: 'TOUCHLINE_RECORD',
    },
    maxMb: {
      doc: 'the recording takes at most so many MiB of disk: the oldest segments are deleted; 0: any number',
      format: integer(0, 100_000_000),
      default: 10_000,
    },
    turns: {
      doc: 'also record turns and decisions, which a replay needs; they take the most processor time and disk',
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
      doc: 'while this file exists everything is stopped, and stays so until a person resumes; best on another disk, where it outlives a reboot; empty: none',
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
      doc: 'folder of the tokens read, reduce and control; empty: beside the journal, named like it with .tokens at the end',
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
      doc: 'least severe level to log',
      format: [...LOG_LEVELS],
      default: 'info' as LogLevel,
      live: true,
      env: 'TOUCHLINE_LOG_LEVEL',
    },
  },
  simulator: {
    seed: { doc: 'seed of the modelled market', format: integer(0, 2 ** 31 - 1), default: 1 },
    speed: { doc: 'matches run this many times faster', format: number(0.01, 10000), default: 1 },
    againstPrices: {
      doc: 'what prices of `against` markets are: odds on that bet, or lay prices of the selection; recorded markets keep lay prices',
      format: [...PRICE_CONVENTIONS],
      default: DEFAULT_SETTINGS.priceConvention as PriceConvention,
    },
    balanceUsdt: { doc: 'starting balance, USDT', format: number(0, 1e9), default: 10000 },
    minOrderStakeUsdt: {
      doc: 'orders of less are refused, USDT; 0: none is',
      format: number(0, 1e6),
      default: 1,
    },
    makerMinimums: {
      doc: 'makers of the modelled market take bets of this many times their usual least stakes, which are 1 to 10 USDT; 0: of any',
      format: number(0, 1000),
      default: 1,
    },
    placementDelay: {
      doc: 'orders take this many times as long as usual to be placed, which is 0.15 to 0.45 s, and 0.5 to 1.5 s more in play; 0: no time',
      format: number(0, 100),
      default: 1,
    },
    limits: {
      doc: 'how request limits are read that can be read in two ways',
      format: [...LIMIT_READINGS],
      default: 'strict' as LimitReading,
    },
  },
};
