/** The guide's steps for systemd, in a booted Debian, and what the guide promises about the unit. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { addNode, addNpmSettings, unpackDebian } from './base.ts';
import { type Checks, expect } from './checks.ts';
import type { Cleanup } from './cleanup.ts';
import { ask, Exchange } from './exchange.ts';
import { isFree, type Npm } from './host.ts';
import { childOf, Machine } from './machine.ts';
import { eventually, lastLines, must, Program, run } from './processes.ts';
import { Unit } from './unit.ts';

const PACKAGES = ['systemd', 'systemd-sysv', 'dbus', 'ca-certificates', 'procps'];
const CLONE = '/root/touchline';
const NEWER = '/root/touchline-newer';
const JOURNAL = '/var/lib/touchline/journal.sqlite';
const METRICS = 'http://127.0.0.1:9464';
/** The ports that the guide's commands rely on. */
const PORTS = [9464, 9465];
/** Commands as root read the key here; the daemon cannot, and gets a credential. */
const KEY_FILE = '/etc/touchline/api-key';
const BUILD_MS = 1_200_000;
const INSTALL_MS = 300_000;
const FIRST_ORDER_MS = 120_000;
/** The unit's RestartSec, and some time for a start. */
const RESTART_MS = 60_000;
/** WatchdogSec of the unit, TimeoutStopSec for the signal that a stopped process ignores, and a restart. */
const WATCHDOG_MS = 200_000;
/** Longer than RestartSec. */
const NO_RESTART_MS = 9_000;

export interface Installation {
  readonly checks: Checks;
  readonly cleanup: Cleanup;
  /** An empty folder of this run. */
  readonly folder: string;
  readonly blocks: ReadonlyMap<string, readonly string[]>;
  readonly npm: Npm;
}

interface Running extends Installation {
  readonly machine: Machine;
  readonly unit: Unit;
  readonly exchange: Exchange;
  readonly key: string;
}

export async function trySystemd(installation: Installation): Promise<void> {
  const running = await boot(installation);
  await buildPackage(running);
  await installUnit(running);
  await checkSecrecy(running);
  await checkCommands(running);
  await checkReload(running);
  await checkCrash(running);
  await checkWatchdog(running);
  await checkExitCodes(running);
  await checkUpgrade(running);
  await checkRollback(running);
  await checkStop(running);
}

async function boot(installation: Installation): Promise<Running> {
  const { checks, cleanup, folder, npm } = installation;
  const root = path.join(folder, 'root');
  const key = `secret-${randomBytes(12).toString('hex')}`;
  let machine: Machine | undefined;
  let exchange: Exchange | undefined;
  await checks.need('ports 9464 and 9465 are free', async () => {
    for (const port of PORTS)
      expect(
        await isFree(port),
        `another program uses port ${port}, which the container shares: end it first`,
      );
  });
  await checks.need('Debian with systemd', async () => {
    const origin = await unpackDebian(root, PACKAGES);
    await addNode(root, npm);
    addNpmSettings(root, npm);
    return origin;
  });
  await checks.need('systemd boots', async () => {
    machine = await Machine.boot(root, cleanup);
    return must(machine.command('systemctl --version | head -n 1'));
  });
  await checks.need('an exchange beside it', async () => {
    exchange = await Exchange.start(key, [], cleanup);
  });
  const running = { machine: machine as Machine | undefined, exchange: exchange as Exchange | undefined };
  expect(running.machine !== undefined && running.exchange !== undefined, 'the container has started');
  return {
    ...installation,
    machine: running.machine,
    exchange: running.exchange,
    unit: new Unit(running.machine),
    key,
  };
}

/** Follows the block `package` in a copy of this clone, in the container. */
async function buildPackage({ checks, machine, blocks }: Running): Promise<void> {
  const commands = blocks.get('package') ?? [];
  const last = commands.at(-1) ?? '';
  await checks.need('a clone in it', async () => {
    const copy =
      'git ls-files -z --cached --others --exclude-standard | tar --create --null --files-from=- | "$@"';
    await must(['sh', '-ec', copy, 'sh', ...machine.command(`mkdir -p ${CLONE} && tar -x -C ${CLONE}`)]);
  });
  await checks.need(`package: ${commands.slice(0, -1).join('; ')}`, async () => {
    await must(machine.command(commands.slice(0, -1).join('\n'), CLONE), { timeoutMs: BUILD_MS });
  });
  await checks.check(`package: ${last}`, async () => {
    const program = new Program(machine.command(`exec ${last}`, CLONE));
    try {
      await program.until('order live', FIRST_ORDER_MS);
    } finally {
      const pid = childOf(program.child.pid);
      if (pid !== undefined) process.kill(pid, 'SIGTERM');
    }
    const code = await program.ended;
    expect(code === 0, `SIGTERM ended it with ${code}:\n${program.tail()}`);
    return 'an order stood, and SIGTERM ended it with 0';
  });
}

/** Follows the block `systemd` in the same clone. */
async function installUnit({ checks, machine, blocks, exchange, unit, key }: Running): Promise<void> {
  const commands = blocks.get('systemd') ?? [];
  await checks.need('the operator’s files: touchline.toml and api-key', async () => {
    await must(machine.command('cat > touchline.toml', CLONE), { input: exchange.settings(KEY_FILE) });
    await must(machine.command('cat > api-key', CLONE), { input: `${key}\n` });
  });
  for (const command of commands)
    await checks.need(`systemd: ${command}`, async () => {
      const { code, output } = await run(machine.command(command, CLONE), { timeoutMs: INSTALL_MS });
      expect(code === 0, `${lastLines(output)}\n${await unit.log('--lines=5').catch(String)}`);
    });
  await checks.need('the unit is active, by its own notification', async () => {
    expect((await unit.property('Type')) === 'notify', 'the unit is not of Type=notify');
    expect((await unit.property('ActiveState')) === 'active', `it is ${await unit.property('ActiveState')}`);
  });
  await checks.need('an order stands', () => exchange.quoted());
  await checks.check('metrics, health and readiness', async () => {
    const { body } = await ask([], `${METRICS}/metrics`);
    expect(/^touchline_orders_active\{.*\} [1-9]/m.test(body), 'touchline_orders_active shows no order');
    for (const place of ['healthz', 'readyz']) {
      const answer = await ask([], `${METRICS}/${place}`);
      expect(answer.status === 200, `/${place} answers ${answer.status}: ${answer.body}`);
    }
  });
}

async function checkSecrecy({ checks, machine, unit }: Running): Promise<void> {
  await checks.check('the key is in no environment, argument, journal or file of the daemon', async () => {
    const places = [
      ['environment', 'cat /proc/[0-9]*/environ 2>/dev/null | tr "\\0" "\\n"'],
      ['arguments', 'cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" "\\n"'],
      ['the unit', 'systemctl show touchline'],
      ['journal', 'journalctl --output=export'],
      ['/var/lib/touchline', 'cat $(find /var/lib/touchline/ /run/touchline/ -type f)'],
    ] as const;
    for (const [place, command] of places) {
      const found = await linesWithKey(machine, command);
      expect(found === 0, `${place}: ${found} lines with the key`);
    }
    expect(
      (await linesWithKey(machine, `cat ${KEY_FILE}`)) === 1,
      `the search does not find the key in ${KEY_FILE}`,
    );
  });
  await checks.check('the credential is what the daemon reads, and only it', async () => {
    const pid = await unit.mainPid();
    const [file = ''] = await linesOf(
      machine,
      `tr "\\0" "\\n" < /proc/${pid}/environ | sed -n s/TOUCHLINE_API_KEY_FILE=//p`,
    );
    const [mode] = await linesOf(machine, `stat -c %a ${file}`);
    expect(file.startsWith('/run/credentials/touchline.service/'), `the key's file is ${file}`);
    expect(mode === '400' || mode === '440', `its mode is ${mode}`);
    const [uid] = await linesOf(machine, `stat -c %u /proc/${pid}`);
    expect(uid !== '0', 'the daemon runs as root');
    return `user ${uid}, ${file} with mode ${mode}`;
  });
}

/** How many lines of a command's output hold the key. The pattern is a file, because as an argument it would be found. */
async function linesWithKey(machine: Machine, command: string): Promise<number> {
  const search = `grep --count --text --fixed-strings --file=${CLONE}/api-key`;
  return Number((await machine.run(`{ ${command}; } | { ${search} || true; }`)).stdout);
}

async function linesOf(machine: Machine, script: string): Promise<string[]> {
  return (await must(machine.command(script))).split('\n');
}

async function checkCommands({ checks, unit, exchange }: Running): Promise<void> {
  for (const command of ['risk', 'why', 'doctor'])
    await checks.check(`touchline ${command}, as root`, async () => {
      const printed = await unit.touchline(command);
      expect(printed !== '', 'it printed nothing');
    });
  await checks.check('touchline kill, as root', async () => {
    await unit.touchline('kill --reason "a test of the installation"');
    return exchange.cleared();
  });
  await checks.check('touchline resume, as root', async () => {
    await unit.touchline('resume --reason "the test is over"');
    return exchange.quoted();
  });
}

async function checkReload({ checks, unit, exchange }: Running): Promise<void> {
  const reloads = async (result: string): Promise<boolean> => {
    const { body } = await ask([], `${METRICS}/metrics`);
    return new RegExp(`^touchline_config_reloads_total\\{result="${result}"\\} [1-9]`, 'm').test(body);
  };
  const reload = async (settings: string, result: string): Promise<void> => {
    await unit.writeConfiguration(settings);
    const { code, output } = await unit.systemctl('reload');
    expect(code === 0, output);
    await eventually(`the reload counts as ${result}`, 10_000, () => reloads(result));
  };
  const settings = exchange.settings(KEY_FILE);
  await checks.check('systemctl reload applies a changed setting', async () => {
    expect((await unit.log('--priority=7..7')) === '', 'there are lines of priority debug before');
    await reload(settings.replace('level = "info"', 'level = "debug"'), 'applied');
    await eventually('the log has lines of level debug', 20_000, async () =>
      (await unit.log('--priority=7..7')).includes('"level":"debug"'),
    );
  });
  await checks.check('systemctl reload refuses a wrong setting, and the daemon goes on', async () => {
    await reload(settings.replace('maxEvents = 3', 'maxEvents = "three"'), 'refused');
    await reload(settings, 'applied');
    return exchange.quoted();
  });
  await checks.check('lines have the priority of their level', async () => {
    const levels = { '3..3': 'error', '4..4': 'warn', '6..6': 'info', '7..7': 'debug' };
    for (const [priority, level] of Object.entries(levels)) {
      const lines = (await unit.log(`--priority=${priority}`)).split('\n');
      const wrong = lines.filter((line) => line.startsWith('{') && !line.startsWith(`{"level":"${level}"`));
      expect(wrong.length === 0, `priority ${priority} has ${wrong[0]}`);
    }
    expect((await unit.log('--priority=warning')).includes('{"level":"'), 'no line is a warning or an error');
  });
}

async function checkCrash({ checks, machine, unit, exchange }: Running): Promise<void> {
  await checks.check('a killed daemon is restarted and trades again', async () => {
    const [pid, earlier] = [await unit.mainPid(), await exchange.openOrders()];
    await must(machine.command(`kill -KILL ${pid}`));
    await unit.restarted(pid, RESTART_MS);
    return exchange.quoted(earlier);
  });
}

async function checkWatchdog({ checks, machine, unit, exchange }: Running): Promise<void> {
  await checks.check('a stopped daemon leaves no order, and the watchdog restarts it', async () => {
    const pid = await unit.mainPid();
    await must(machine.command(`kill -STOP ${pid}`));
    const cleared = await exchange.cleared(60_000);
    const waitedMs = await unit.restarted(pid, WATCHDOG_MS);
    expect((await unit.log()).includes('Watchdog timeout'), 'the journal names no watchdog timeout');
    return `${cleared}, restarted ${(waitedMs / 1000).toFixed(0)} s later; ${await exchange.quoted()}`;
  });
}

async function checkExitCodes({ checks, unit, exchange, key }: Running): Promise<void> {
  const endsWith = async (expected: number): Promise<string> => {
    await unit.systemctl('stop');
    await unit.systemctl('reset-failed');
    // It may fail at once or, if it has told systemd first that it is ready, a little later.
    await unit.systemctl('start');
    await eventually(
      'the unit has failed',
      RESTART_MS,
      async () => (await unit.property('ActiveState')) === 'failed',
    );
    await pause(NO_RESTART_MS);
    const [code, state] = [await unit.property('ExecMainStatus'), await unit.property('ActiveState')];
    const restarts = await unit.property('NRestarts');
    expect(code === `${expected}`, `it ended with ${code}: ${await unit.log('--lines=3')}`);
    expect(state === 'failed' && restarts === '0', `it is ${state} after ${restarts} restarts`);
    return 'failed, and not restarted';
  };
  await checks.check('a bad configuration ends it with 78', async () => {
    await unit.writeConfiguration(`${exchange.settings(KEY_FILE)}\n[nonsense]\nvalue = 1\n`);
    return endsWith(78);
  });
  await checks.check('a live configuration without --live ends it with 78', async () => {
    await unit.writeConfiguration(exchange.settings(KEY_FILE).replace('mode = "simulated"', 'mode = "live"'));
    return endsWith(78);
  });
  await unit.writeConfiguration(exchange.settings(KEY_FILE));
  await checks.check('a refused key ends it with 77', async () => {
    await unit.writeKey('not-the-key');
    return endsWith(77);
  });
  await checks.check('with its files restored it starts and trades', async () => {
    await unit.writeKey(key);
    const { code, output } = await unit.systemctl('restart');
    expect(code === 0, output);
    return exchange.quoted();
  });
}

/** A second build, of version 0.2.0, whose journal version is one higher. */
async function buildNewerPackage({ checks, machine }: Running): Promise<void> {
  await checks.need('a newer package, whose journal version is one higher', async () => {
    const version = 's/"version": "0.1.0"/"version": "0.2.0"/';
    const step = 's/^];$/  `CREATE TABLE of_the_next_version (id INTEGER PRIMARY KEY) STRICT;`,\\n];/';
    const commands = [
      `cp -a ${CLONE} ${NEWER} && cd ${NEWER}`,
      `sed -i '${version}' package.json && sed -i '${step}' src/storage/migrations.ts`,
      'grep -q of_the_next_version src/storage/migrations.ts',
      'npm run package',
      // The operator has both packages in one folder.
      `cp dist/touchline-0.2.0.tgz ${CLONE}/dist/`,
    ];
    await must(machine.command(commands.join(' && ')), { timeoutMs: BUILD_MS });
  });
}

/** Follows the block `upgrade`. */
async function checkUpgrade(running: Running): Promise<void> {
  const { checks, machine, blocks, exchange, unit } = running;
  await buildNewerPackage(running);
  for (const command of blocks.get('upgrade') ?? [])
    await checks.need(`upgrade: ${command}`, () =>
      must(machine.command(command, CLONE), { timeoutMs: INSTALL_MS }),
    );
  await checks.check('the newer version copied the journal, and trades', async () => {
    const [copy = ''] = await linesOf(machine, `ls -d ${JOURNAL}.backups/version-*/journal.sqlite`);
    expect((await unit.log()).includes('the journal was upgraded'), 'the log does not name the upgrade');
    return `${copy}; ${await exchange.quoted()}`;
  });
}

/** Follows the block `rollback`. A block is one shell, because it sets a variable. */
async function checkRollback({ checks, machine, blocks, exchange, unit }: Running): Promise<void> {
  const [stop = '', install = '', ...others] = blocks.get('rollback') ?? [];
  await checks.need(`rollback: ${stop}; ${install}`, () =>
    must(machine.command(`${stop}\n${install}`, CLONE), { timeoutMs: INSTALL_MS }),
  );
  await checks.check('the earlier version refuses the newer journal, and names the way back', async () => {
    await unit.systemctl('start');
    await eventually(
      'the unit has failed',
      RESTART_MS,
      async () => (await unit.property('ActiveState')) === 'failed',
    );
    expect((await unit.property('ExecMainStatus')) === '78', 'it did not end with 78');
    expect((await unit.log('--lines=5')).includes('touchline journal restore'), 'its log names no way back');
  });
  await checks.need(`rollback: ${others.join('; ')}`, async () => {
    await unit.systemctl('reset-failed');
    await must(machine.command(others.join('\n'), CLONE), { timeoutMs: INSTALL_MS });
  });
  await checks.check('the earlier version trades with the restored journal', () => exchange.quoted());
}

async function checkStop({ checks, unit, exchange }: Running): Promise<void> {
  await checks.check('systemctl stop ends it with 0 and leaves no order', async () => {
    const { code, output } = await unit.systemctl('stop');
    const open = (await exchange.openOrders()).size;
    expect(code === 0, output);
    expect(open === 0, `${open} orders are open after the stop`);
    const [status, result] = [await unit.property('ExecMainStatus'), await unit.property('Result')];
    expect(status === '0' && result === 'success', `it ended with ${status}, ${result}`);
  });
}
