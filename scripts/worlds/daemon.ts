/** A daemon of one world: its configuration, and its process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { PriceConvention } from '../../src/domain/odds.ts';
import type { Direction } from '../../src/domain/selection.ts';

export interface Addresses {
  readonly rest: string;
  readonly stream: string;
  readonly control: string;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const source = (direction: Direction, file: string): string => `\
[[priceSource]]
name = "file"
as = "quote${direction === 'for' ? 'For' : 'Against'}"
staleAfterS = 10
key = "{sport}|{eventId}|{outcome}"

[priceSource.options]
file = "${file}"
fields = { key = "{key}", price = "${direction}", time = "time" }
`;

/** No limit is ever reached: limits would stop one of two daemons that hold different bets. */
const LIMIT = 1_000_000;

const scopes = ['selection', 'event', 'competition', 'sport', 'day', 'account'];

export const configText = (
  mode: 'simulated' | 'paper',
  convention: PriceConvention,
  addresses: Addresses,
  quotesFile: string,
  journal: string,
): string => `\
mode = "${mode}"

[exchange]
restUrl = "${addresses.rest}"
streamUrl = "${addresses.stream}"
againstPrices = "${convention}"

[strategy]
name = "${join(ROOT, 'scripts/worlds/strategy.ts')}"

${source('for', quotesFile)}
${source('against', quotesFile)}
[universe]
marketTypes = ["wdw", "ml", "win", "ou"]
startWithinMinutes = 20160
maxEvents = 6
maxSelections = 18
inPlay = true

[orders]
openBetslips = 50

[paper]
balanceUsdt = 10000000
share = 1
registeredEvents = 1000

[risk.inPlay]
allowed = true

[risk.order]
maxStakeUsdt = 1000
maxLiabilityUsdt = 10000

[risk.worstCase]
${scopes.map((scope) => `${scope}Usdt = ${LIMIT}`).join('\n')}

[risk.gross]
eventUsdt = ${LIMIT}
accountUsdt = ${LIMIT}

[risk.openOrders]
selection = 10
event = 200
account = 400

[risk.loss]
dayUsdt = ${LIMIT}
fromPeakUsdt = ${LIMIT}
strategyDayUsdt = ${LIMIT}
strategyFromPeakUsdt = ${LIMIT}

[risk.turnover]
dayUsdt = ${10 * LIMIT}

[risk.take]
eventUsdt = 50
hourUsdt = 100
minEdge = 0.02

[risk.balance]
reserveUsdt = 0
required = true

[journal]
path = "${journal}"

[ops]
port = 0

[admin]
port = 0
`;

/** A process of the comparison, on this Node and in hurried time. */
export function hurried(args: readonly string[], environment: NodeJS.ProcessEnv): ChildProcess {
  const preload = join(ROOT, 'scripts/worlds/hurry.ts');
  return spawn(process.execPath, ['--import', preload, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export interface DaemonWorld {
  readonly name: string;
  readonly mode: 'simulated' | 'paper';
  readonly convention: PriceConvention;
  readonly key: string;
  readonly addresses: Addresses;
  readonly quotesFile: string;
  readonly folder: string;
}

/** Starts a daemon; returns its process and the path of its journal. */
export function startDaemon(
  { name, mode, convention, key, addresses, quotesFile, folder }: DaemonWorld,
  environment: NodeJS.ProcessEnv,
): { readonly child: ChildProcess; readonly journal: string } {
  const journal = join(folder, `${name}.sqlite`);
  const config = join(folder, `${name}.toml`);
  writeFileSync(config, configText(mode, convention, addresses, quotesFile, journal));
  const child = hurried(['src/cli/main.ts', 'run', '--config', config], {
    ...environment,
    TOUCHLINE_API_KEY: key,
  });
  const log = createWriteStream(join(folder, `${name}.log`));
  child.stdout?.pipe(log, { end: false });
  child.stderr?.pipe(log, { end: false });
  return { child, journal };
}
