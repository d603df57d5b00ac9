import process from 'node:process';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type AccessScope, SCOPES } from '../../../ops/scopes.ts';
import { LONGEST_SHARE_DAYS } from '../../../ops/dashboard/links.ts';
import { parseDurationMs, parseText } from '../../input/arguments.ts';
import { renderTable } from '../../output/output.ts';
import { type OperateOptions, operatingCommand, operationOf } from './operate.ts';

interface DashboardOptions extends OperateOptions {
  readonly scope?: AccessScope;
  readonly share?: boolean;
  readonly ttl: number;
  readonly note: string;
  readonly open?: boolean;
  readonly list?: boolean;
  readonly revoke?: string;
}

const SHARED_FOR_MS = 12 * 3_600_000;

const EXAMPLES = `
Examples:
  touchline dashboard --open                             in this machine's browser, with all rights
  touchline dashboard --share --scope reduce --ttl 10h   for a phone: it may pause, close and kill
  touchline dashboard --share --note Anna                for somebody who only looks, for 12 hours
  touchline dashboard --list                             the links and sessions that still work
  touchline dashboard --revoke 3fkQ9xZa                  end one of them, and every session opened with it`;

function parseTtlMs(text: string): number {
  const ttlMs = parseDurationMs(text);
  if (ttlMs > LONGEST_SHARE_DAYS * 24 * 3_600_000)
    throw new InvalidArgumentError(
      `--ttl is ${LONGEST_SHARE_DAYS} days (${24 * LONGEST_SHARE_DAYS}h) at most`,
    );
  return ttlMs;
}

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

/** `touchline dashboard`: an address that opens the dashboard of a running daemon. */
export function dashboardCommand(): Command {
  return operatingCommand('dashboard', 'print an address that opens the dashboard of the running daemon')
    .addOption(
      new Option('--scope <scope>', 'what the page may do')
        .choices(SCOPES)
        .default(undefined, 'control, or read with --share'),
    )
    .option('--share', 'make a link that works until it expires, instead of once')
    .option(
      '--ttl <duration>',
      `how long a shared link works: ${LONGEST_SHARE_DAYS} days (${24 * LONGEST_SHARE_DAYS}h) at most`,
      parseTtlMs,
      SHARED_FOR_MS,
    )
    .option('--note <text>', 'who gets a shared link; it is listed', parseText, '')
    .option('--open', 'open it in a browser')
    .option('--list', 'list the links and sessions that still work')
    .option('--revoke <name>', 'end a link or session, and every session opened with it', parseText)
    .addHelpText('after', EXAMPLES)
    .action(dashboard);
}

async function dashboard(options: DashboardOptions): Promise<void> {
  const { makeLink, revokeLink, waysIn } = await import('../../../app/operate/dashboard-links.ts');
  const operation = operationOf(options);
  if (options.list === true) {
    const rows = (await waysIn(operation)).map(({ expiresMs, from, ...way }) => ({
      ...way,
      from: from ?? 'the token',
      until: new Date(expiresMs).toISOString(),
    }));
    if (rows.length === 0) print('no link and no session');
    for (const line of renderTable(rows)) print(line);
    return;
  }
  if (options.revoke !== undefined) {
    await revokeLink(operation, options.revoke);
    print(`revoked: ${options.revoke}`);
    return;
  }
  const isShared = options.share ?? false;
  const { id, link } = await makeLink(operation, {
    scope: options.scope ?? (isShared ? 'read' : 'control'),
    ttlS: isShared ? Math.max(1, Math.round(options.ttl / 1_000)) : null,
    note: options.note,
  });
  print(link);
  if (isShared) process.stderr.write(`touchline dashboard --revoke ${id} ends it\n`);
  else process.stderr.write('it works once, within two minutes\n');
  if (options.open !== true) return;
  const { openBrowser } = await import('../../../app/pages/open-browser.ts');
  openBrowser(link, (why) => process.stderr.write(`touchline: ${why}\n`));
}
