/** The installed systemd unit, as an operator sees it. */
import type { Machine } from './machine.ts';
import { eventually, must, type Result } from './processes.ts';

/** How docs/reference/commands.md names the command beside the unit. */
const TOUCHLINE = '/opt/touchline/node_modules/.bin/touchline';
const CONFIGURATION = '/etc/touchline/touchline.toml';

export class Unit {
  readonly #machine: Machine;

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  /** A property of the unit, as `systemctl show` prints it. */
  async property(name: string): Promise<string> {
    return must(this.#machine.command(`systemctl show --value --property=${name} touchline`));
  }

  async mainPid(): Promise<number> {
    return Number(await this.property('MainPID'));
  }

  systemctl(verb: string): Promise<Result> {
    return this.#machine.run(`systemctl ${verb} touchline`, { timeoutMs: 180_000 });
  }

  /** Waits until the unit is active, and not by the process that it had before. */
  async restarted(earlierPid: number, timeoutMs: number): Promise<number> {
    return eventually('systemd has restarted the unit', timeoutMs, async () => {
      const pid = await this.mainPid();
      return pid !== 0 && pid !== earlierPid && (await this.property('ActiveState')) === 'active';
    });
  }

  /** Runs a command of Touchline as root with the unit's configuration, and returns what it printed. */
  touchline(command: string): Promise<string> {
    return must(this.#machine.command(`${TOUCHLINE} ${command} --config ${CONFIGURATION}`));
  }

  /** The unit's lines in systemd's journal; `options` as `journalctl` takes them. */
  log(options = ''): Promise<string> {
    return must(this.#machine.command(`journalctl --unit=touchline --output=cat ${options}`));
  }

  writeConfiguration(text: string): Promise<string> {
    return must(this.#machine.command(`cat > ${CONFIGURATION}`), { input: text });
  }

  writeKey(key: string): Promise<string> {
    return must(this.#machine.command('cat > /etc/touchline/api-key'), { input: `${key}\n` });
  }
}
