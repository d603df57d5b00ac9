/** A Debian with systemd, booted in a container that shares this machine's network. */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import type { Cleanup } from './cleanup.ts';
import { eventually, Program, run, type Result, type RunOptions } from './processes.ts';

const BOOT_MS = 120_000;
const ENVIRONMENT = [
  'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  'HOME=/root',
  'LANG=C.UTF-8',
  'NO_COLOR=1',
];

export class Machine {
  readonly #leader: number;

  private constructor(leader: number) {
    this.#leader = leader;
  }

  /** Boots the system in a root folder and waits until systemd has started everything. */
  static async boot(root: string, cleanup: Cleanup): Promise<Machine> {
    const nspawn = new Program([
      'systemd-nspawn',
      '--quiet',
      '--boot',
      '--directory',
      root,
      '--machine',
      `touchline-${process.pid}`,
      // This machine may have no systemd of its own to register with.
      '--register=no',
      '--keep-unit',
      '--link-journal=no',
      '--console=pipe',
      '--resolv-conf=copy-host',
    ]);
    cleanup.defer(async () => {
      const leader = childOf(nspawn.child.pid);
      // The end of its first process ends the container.
      if (leader !== undefined) process.kill(leader, 'SIGKILL');
      else nspawn.child.kill('SIGTERM');
      await nspawn.ended;
    });
    let machine: Machine | undefined;
    await eventually('systemd has started in the container', BOOT_MS, async () => {
      if (nspawn.isOver) throw new Error(`systemd-nspawn ended:\n${nspawn.tail()}`);
      const leader = childOf(nspawn.child.pid);
      if (leader === undefined) return false;
      machine = new Machine(leader);
      const { stdout } = await machine.run('systemctl is-system-running');
      return ['running', 'degraded'].includes(stdout.trim());
    });
    return machine as unknown as Machine;
  }

  /** The command that runs a shell script as root in the container. The first command that fails ends the script. */
  command(script: string, folder = '/root'): readonly string[] {
    const enter = ['nsenter', '--target', `${this.#leader}`, '--all', 'env', '--ignore-environment'];
    return [...enter, ...ENVIRONMENT, 'sh', '-ec', `cd ${folder}\n${script}`];
  }

  run(script: string, options?: RunOptions): Promise<Result> {
    return run(this.command(script), options);
  }
}

/** The first child of a process, if it has one: for a program in a container, the process behind `nsenter`. */
export function childOf(pid: number | undefined): number | undefined {
  try {
    const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
    return child === undefined || child === '' ? undefined : Number(child);
  } catch {
    return undefined;
  }
}
