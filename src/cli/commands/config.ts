import process from 'node:process';
import { Command } from 'commander';
import { type ConfigOptions, configRead, withConfigOptions } from '../input/exchange-command.ts';
import { jsonText } from '../output/output.ts';

/** `touchline config show`: the settings that a start would use, secrets masked. */
export function configCommand(): Command {
  const show = new Command('show').description(
    'print the settings that would be used, secrets masked, as JSON',
  );
  withConfigOptions(show).action(async (options: ConfigOptions) => {
    const { validateConfig } = await import('../../app/config/validate.ts');
    const loaded = await configRead(options);
    await validateConfig(loaded);
    process.stdout.write(jsonText(loaded.describe(), 2) + '\n');
  });
  return new Command('config').description('check and show the configuration').addCommand(show);
}
