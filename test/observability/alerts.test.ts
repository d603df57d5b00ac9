import { describe, expect, it } from 'vitest';
import { read } from '../tidy/project.ts';
import { patient } from '../support/patience.ts';
import { type AlertRule, alertRules, hasTool, observability, promtool } from '../support/prometheus.ts';

const RULES = alertRules();
const NAMES = RULES.map(({ alert }) => alert);
const RUNBOOK = read('docs/runbook.md');

interface Section {
  readonly heading: string;
  readonly text: string;
}

const SECTIONS: readonly Section[] = RUNBOOK.split(/^### /m)
  .slice(1)
  .map((section) => {
    const [heading = '', ...lines] = section.split(/\n(?!## )/);
    return { heading, text: lines.join('\n') };
  });

const severityOf = (severity: string): string[] =>
  RULES.filter(({ labels }) => labels['severity'] === severity).map(({ alert }) => alert);

describe('alerts', () => {
  it('wake a person for five reasons', () => {
    expect(severityOf('page')).toEqual([
      'TouchlineDownWhileExposed',
      'TouchlineOrderUnknown',
      'TouchlineNotQuoting',
      'TouchlineKilledOrNearLossLimit',
      'TouchlineJournalFailed',
    ]);
    expect(severityOf('none')).toEqual(['TouchlineWatchdog']);
    expect(severityOf('ticket')).toHaveLength(RULES.length - 6);
  });

  it('have names of their own, a summary, a description and a link to their section of the runbook', () => {
    const incomplete = ({ alert, annotations }: AlertRule): boolean =>
      annotations['summary'] === undefined ||
      annotations['description'] === undefined ||
      annotations['runbook_url'] !==
        `{{ or $externalLabels.touchline_docs "docs" }}/runbook.md#${alert.toLowerCase()}`;
    expect(RULES.filter(incomplete)).toEqual([]);
    expect(new Set(NAMES).size).toBe(NAMES.length);
  });

  it('have a section of the runbook each: meaning, what to look at, what to do', () => {
    expect(SECTIONS.map(({ heading }) => heading)).toEqual(NAMES);
    const incomplete = SECTIONS.filter(
      ({ text }) => !/- \*\*Meaning\.\*\* [\s\S]*- \*\*Look at\.\*\* [\s\S]*- \*\*Do\.\*\* /.test(text),
    );
    expect(incomplete).toEqual([]);
  });

  it('wait a stated time, so that a test can override each', () => {
    expect(RULES.filter((rule) => rule.for === undefined)).toEqual([]);
  });

  it('are each tested', () => {
    const { tests } = observability('alerts.test.yml') as { tests: readonly { name: string }[] };
    const untested = NAMES.filter((alert) => !tests.some(({ name }) => name.split(' ')[0] === alert));
    expect(untested).toEqual([]);
  });
});

describe.runIf(hasTool('promtool'))('promtool', () => {
  it('accepts rules and configuration', () => {
    expect(promtool(['check', 'config', 'prometheus.yml'])).toMatchObject({ code: 0 });
  });

  it(
    'sees every alert fire and not fire',
    () => {
      const { code, output } = promtool(['test', 'rules', 'alerts.test.yml']);
      expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('SUCCESS') });
    },
    patient(60_000),
  );
});
