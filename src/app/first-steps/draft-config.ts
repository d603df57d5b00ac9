/** Writes a first configuration from a few answers: everything small, and a real exchange only with a second file. */
import { closeSync, existsSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { KNOWN_SPORTS, unknownCode } from '../../domain/codes.ts';
import { ConfigError, TouchlineError } from '../../domain/errors.ts';
import { reasonOf } from '../../lib/reason.ts';

/** A question of `touchline init`. */
export interface Question {
  readonly key: keyof Answers;
  readonly text: string;
  /** The answer if a person gives none. */
  readonly fallback: string;
  /** Why an answer cannot be used, beside the earlier ones; null if it can. */
  readonly fault: (answer: string, earlier: Partial<Answers>) => string | null;
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

/** The purpose of the second file. */
export type DraftKind = 'live' | 'paper';

/** Real and paper orders never share a journal. */
const JOURNALS: Readonly<Record<DraftKind, string>> = { live: '.', paper: 'paper' };

/** The second file holds these answers. Their questions come again for another second file beside the same common one. */
const OF_THE_SECOND: ReadonlySet<keyof Answers> = new Set(['restUrl', 'streamUrl', 'apiKeyFile', 'journal']);

/** The questions that remain if the common file exists. */
export const questionsOfSecond = (questions: readonly Question[]): readonly Question[] =>
  questions.filter(({ key }) => OF_THE_SECOND.has(key));

/** The questions for a configuration in this folder. */
export const questionsFor = (folder: string, kind: DraftKind = 'live'): readonly Question[] => [
  {
    key: 'restUrl',
    text: 'REST address of the exchange, ends in /v2/',
    fallback: 'https://exchange.example/v2/',
    fault: (answer) => addressFault(answer, ['http:', 'https:']),
  },
  {
    key: 'streamUrl',
    text: 'address of its stream',
    fallback: 'wss://exchange.example/v2/stream',
    fault: (answer) => addressFault(answer, ['ws:', 'wss:']),
  },
  {
    key: 'apiKeyFile',
    text: 'file for the API key and nothing else',
    fallback: join(resolve(folder), 'api-key'),
    fault: () => null,
  },
  {
    key: 'sports',
    text: 'sports to quote, with commas between',
    fallback: 'fb',
    fault: (answer) =>
      sportsIn(answer).flatMap((sport) => unknownCode(sport, KNOWN_SPORTS, []) ?? [])[0] ?? null,
  },
  {
    key: 'stakeUsdt',
    text: 'what one quote may lose, USDT (below 5, long prices get no quote)',
    fallback: '5',
    fault: amountFault,
  },
  {
    key: 'dayLossUsdt',
    text: 'loss of a day that stops everything, USDT',
    fallback: '25',
    fault: (answer, { stakeUsdt }) =>
      amountFault(answer) ??
      (Number(stakeUsdt) > Number(answer)
        ? `is below what one quote may lose (${stakeUsdt}): the first lost bet would stop everything`
        : null),
  },
  {
    key: 'journal',
    text: 'file of the journal',
    fallback: join(resolve(folder), JOURNALS[kind], 'journal.sqlite'),
    fault: () => null,
  },
];

const addressFault = (answer: string, protocols: readonly string[]): string | null =>
  URL.canParse(answer) && protocols.includes(new URL(answer).protocol)
    ? null
    : `is no address that begins with ${protocols.join('// or ')}//`;

function amountFault(answer: string): string | null {
  const value = Number(answer);
  return Number.isFinite(value) && value > 0 ? null : 'is not a number above zero';
}

const sportsIn = (answer: string): readonly string[] => answer.split(',').map((sport) => sport.trim());

/** The texts of the two files. */
export interface Draft {
  /** Strategy, universe and limits, without an exchange: it runs on the embedded one. */
  readonly common: string;
  /** Mode, exchange, key and journal: they make a run with both files live or paper. */
  readonly second: string;
}

/** Throws ConfigError that names the first answer that cannot be used. */
export function draftOf(answers: Answers, kind: DraftKind = 'live'): Draft {
  for (const { key, text, fault } of questionsFor('.')) {
    const why = fault(answers[key], answers);
    if (why !== null) throw new ConfigError(`${text}: ${JSON.stringify(answers[key])} ${why}`, { key });
  }
  const sports = sportsIn(answers.sports).map(quoted);
  return {
    common: commonText(Number(answers.stakeUsdt), Number(answers.dayLossUsdt), sports),
    second: kind === 'live' ? liveText(answers) : paperText(answers),
  };
}

/** Any text as a TOML string: JSON's escapes are TOML's, too. */
const quoted = (text: string): string => JSON.stringify(text);

function commonText(stake: number, loss: number, sports: readonly string[]): string {
  // Room for a quote that grows as its price moves, below what a day may lose.
  const most = Math.min(2 * stake, loss);
  return `\
# Strategy, markets and limits. Amounts are in USDT. Alone, this file rehearses on the embedded exchange:
#   touchline start --config touchline.toml
# A second file names a real exchange. "touchline init --paper" writes paper.toml beside this file, "touchline init" live.toml:
#   touchline start --config touchline.toml --config paper.toml          trade on paper
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

# Takes that do not reduce the worst case of their event.
[risk.take]
eventUsdt = ${most}
hourUsdt = ${most}
minEdge = 0.02

[risk.balance]
reserveUsdt = 0
required = true
`;
}

const liveText = (answers: Answers): string => `\
# Real money. It also needs the switch --live.
mode = "live"
${exchangeText(answers)}`;

const paperText = (answers: Answers): string => `\
# Paper: the real exchange's prices, and orders that never leave this machine. A journal of its own.
mode = "paper"
${exchangeText(answers)}
[paper]
balanceUsdt = 1000

# Ports of its own: it runs beside a rehearsal, and beside a live daemon.
[ops]
port = 9474

[admin]
port = 9475
`;

const exchangeText = ({ restUrl, streamUrl, apiKeyFile, journal }: Answers): string => `
[exchange]
restUrl = ${quoted(restUrl)}
streamUrl = ${quoted(streamUrl)}
apiKeyFile = ${quoted(apiKeyFile)}

[journal]
path = ${quoted(journal)}
`;

/** The files of a configuration, by full path. */
export interface WrittenDraft {
  readonly common: string;
  readonly second: string;
  /** Whether the common file was there before, and stays as it is. */
  readonly hasCommon: boolean;
}

/**
 * Writes both files into a folder, which is made if only it is missing, and makes the folder of a paper journal inside it. A common file that
 * exists stays as it is. Throws TouchlineError `usage` if the second file exists, and then writes nothing, or if the folder cannot be written.
 */
export function writeDraft(
  folder: string,
  { common, second }: Draft,
  kind: DraftKind = 'live',
): WrittenDraft {
  const files = newFiles(folder, kind);
  try {
    // Not recursive: there are file systems in which Node would then try for ever.
    for (const made of [resolve(folder), join(resolve(folder), JOURNALS[kind])])
      if (!existsSync(made)) mkdirSync(made);
    if (!files.hasCommon) writeNew(files.common, common);
    writeNew(files.second, second);
  } catch (error) {
    throw new TouchlineError('usage', `cannot write into ${resolve(folder)}: ${reasonOf(error)}`, {}, error);
  }
  return files;
}

/** The files to write into the folder. Throws TouchlineError `usage` if the second one exists. */
export function newFiles(folder: string, kind: DraftKind = 'live'): WrittenDraft {
  const common = join(resolve(folder), 'touchline.toml');
  const second = join(resolve(folder), `${kind}.toml`);
  if (existsSync(second))
    throw new TouchlineError('usage', `${second} exists: use it, move it away, or name another folder`);
  return { common, second, hasCommon: existsSync(common) };
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
