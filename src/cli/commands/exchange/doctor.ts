import type { Command } from 'commander';
import type { DoctorOptions } from '../../actions/doctor.ts';
import { exchangeCommand } from '../../input/exchange-command.ts';

/** `touchline doctor`: checks every condition of trading, line by line. */
export function doctorCommand(): Command {
  return exchangeCommand(
    'doctor',
    'examine configuration, journal, key, account, stream, clock, heartbeat and caps',
  )
    .option(
      '--probe',
      'find the cap of registered events by registering until one is refused; not while a daemon runs',
    )
    .action(async (options: DoctorOptions) => (await import('../../actions/doctor.ts')).diagnose(options));
}
