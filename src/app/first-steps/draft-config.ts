/** Writes a first configuration from a few answers: everything small, and real money only with a second file. */
import { closeSync, existsSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ConfigError, TouchlineError } from '../../domain/errors.ts';
import { reasonOf } from '../../lib/reason.ts';

/** A question of `touchline init`, and the answer if a person gives none. */
export interface Question {
  readonly key: keyof Answers;
  readonly text: string;
  readonly fallback: string;
}

/** The answers as text. */
export interface Answers {
  readonly restUrl: string;
  readonly streamUrl: string;
  readonly apiKeyFile: string;
  readonly sports: string;
  readonly stakeUsdt: string;
  readonly dayLossUsdt: string;
  readonly journal: string;
}

export const QUESTIONS: readonly Question[] = [
  {
    key: 'restUrl',
    text: 'REST address of the exchange, ends in /v2/',
    fallback: 'https://exchange.example/v2/',
  },
  { key: 'streamUrl', text: 'address of its stream', fallback: 'wss://exchange.example/v2/stream' },
  { key: 'apiKeyFile', text: 'file that holds the API key alone', fallback: '/etc/touchline/api-key' },
  { key: 'sports', text: 'sports to quote, with commas between', fallback: 'fb' },
  { key: 'stakeUsdt', text: 'what one quote may lose, USDT', fallback: '2' },
  { key: 'dayLossUsdt', text: 'loss of a day that stops everything, USDT', fallback: '10' },
  { key: 'journal', text: 'file of the journal', fallback: '/var/lib/touchline/journal.sqlite' },
];

/** The texts of the two files. */
export interface Draft {
  /** Strategy, universe and limits, without an exchange: it runs on the embedded one. */
  readonly common: string;
  /** What makes a run with both files live: mode, exchange, key and journal. */
  readonly live: string;
}

/** Throws ConfigError that names each answer that is not a number above zero. */
export function draftOf(answers: Answers): Draft {
  const stake = amountOf('stakeUsdt', answers);
  const loss = amountOf('dayLossUsdt', answers);
  if (stake > loss)
    throw new ConfigError(
      `what one quote may lose (${stake}) is above the loss of a day (${loss}): the first lost bet would stop everything`,
    );
  const sports = answers.sports.split(',').map((sport) => quoted(sport.trim()));
  return { common: commonText(stake, loss, sports), live: liveText(answers) };
}

function amountOf(key: 'stakeUsdt' | 'dayLossUsdt', answers: Answers): number {
  const value = Number(answers[key]);
  const text = QUESTIONS.find((question) => question.key === key)?.text ?? key;
  if (!Number.isFinite(value) || value <= 0)
    throw new ConfigError(`${text}: ${JSON.stringify(answers[key])} is not a number above zero`, { key });
  return value;
}

/** Any text as a TOML string: JSON's escapes are TOML's, too. */
const quoted = (text: string): string => JSON.stringify(text);

function commonText(stake: number, loss: number, sports: readonly string[]): string {
  // Room for a quote that grows as its price moves, below what a day may lose.
  const most = Math.min(2 * stake, loss);
  return `\
# Strategy, markets and limits. Amounts are in USDT.
#   touchline start --config touchline.toml                              rehearse on the embedded exchange
#   touchline run --live --config touchline.toml --config live.toml      trade real money

[strategy]
name = "symmetric"

[strategy.parameters]
stake = ${stake}

[universe]
sports = [${sports.join(', ')}]
marketTypes = ["wdw"]
startWithinMinutes = 1440
maxEvents = 1
maxSelections = 3

[risk.order]
maxStakeUsdt = ${most}
maxLiabilityUsdt = ${most}

# A worst case is over all final scores and all open orders.
[risk.worstCase]
selectionUsdt = ${loss}
eventUsdt = ${loss}
competitionUsdt = ${loss}
sportUsdt = ${loss}
dayUsdt = ${loss}
accountUsdt = ${loss}

[risk.gross]
eventUsdt = ${20 * loss}
accountUsdt = ${20 * loss}

[risk.openOrders]
selection = 4
event = 12
account = 12

# Reaching a loss limit stops everything until a person runs: touchline resume --reason "…"
[risk.loss]
dayUsdt = ${loss}
fromPeakUsdt = ${loss}
strategyDayUsdt = ${loss}
strategyFromPeakUsdt = ${loss}

[risk.turnover]
dayUsdt = ${100 * loss}

[risk.balance]
reserveUsdt = 0
required = true
`;
}

const liveText = ({ restUrl, streamUrl, apiKeyFile, journal }: Answers): string => `\
# Real money. It also needs the switch --live.
mode = "live"

[exchange]
restUrl = ${quoted(restUrl)}
streamUrl = ${quoted(streamUrl)}
apiKeyFile = ${quoted(apiKeyFile)}

[journal]
path = ${quoted(journal)}
`;

/** The files that were written, by full path. */
export interface WrittenDraft {
  readonly common: string;
  readonly live: string;
}

/**
 * Writes both files into a folder, which is made if only it is missing. Throws TouchlineError `usage` if one of them exists, and then
 * writes nothing, or if the folder cannot be written.
 */
export function writeDraft(folder: string, { common, live }: Draft): WrittenDraft {
  const files = { common: join(resolve(folder), 'touchline.toml'), live: join(resolve(folder), 'live.toml') };
  for (const file of Object.values(files))
    if (existsSync(file))
      throw new TouchlineError('usage', `${file} exists: move it away, or name another folder`);
  try {
    // Not recursive: there are file systems in which Node would then try for ever.
    if (!existsSync(resolve(folder))) mkdirSync(resolve(folder));
    writeNew(files.common, common);
    writeNew(files.live, live);
  } catch (error) {
    throw new TouchlineError('usage', `cannot write into ${resolve(folder)}: ${reasonOf(error)}`, {}, error);
  }
  return files;
}

/** A file that another process made meanwhile is not overwritten. */
function writeNew(path: string, text: string): void {
  const file = openSync(path, 'wx');
  try {
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
}
