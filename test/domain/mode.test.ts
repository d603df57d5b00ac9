import { describe, expect, it } from 'vitest';
import { unknownCode } from '../../src/domain/codes.ts';
import { MODE_NAMES, MODES, modesWith } from '../../src/domain/mode.ts';

describe('the modes of a run', () => {
  it('risk real money only where everything else is real, every limit is set, and a person says so', () => {
    for (const name of MODE_NAMES) {
      const { real, journal, explicitSwitch, limitsAreMandatory } = MODES[name];
      expect([name, real.exchange || !real.money, real.clock]).toEqual([name, true, true]);
      expect([name, explicitSwitch !== null, limitsAreMandatory]).toEqual([name, real.money, real.exchange]);
      expect([name, journal.mayBeInMemory, journal.mayBeUnnamed]).toEqual([name, !real.exchange, real.money]);
    }
    expect(MODES.live).toMatchObject({ explicitSwitch: '--live', real: { money: true } });
    expect(MODES.simulated.real.money).toBe(false);
  });

  it('act on a real exchange only for real money', () => {
    for (const name of MODE_NAMES) {
      const { real, actsOnExchange } = MODES[name];
      expect([name, real.exchange && actsOnExchange]).toEqual([name, real.money]);
    }
  });

  it('are listed for people by a rule', () => {
    expect(MODE_NAMES).toEqual(['simulated', 'paper', 'live']);
    expect(modesWith(({ real }) => real.money)).toBe('live');
    expect(modesWith(({ real }) => !real.money)).toBe('simulated or paper');
    expect(modesWith(() => true)).toBe('simulated or paper or live');
    expect(modesWith(() => false)).toBe('');
  });
});

describe('a code of the exchange', () => {
  it('is known by the program or by the operator, and otherwise refused with those that are', () => {
    expect(unknownCode('fb', ['fb', 'tennis'], [])).toBeNull();
    expect(unknownCode('golf', ['fb'], ['golf'])).toBeNull();
    const reason = unknownCode('gol', ['fb', 'tennis'], ['golf']);
    expect(reason).toMatch(/^"gol" is not known.*golf.*known are fb, tennis, golf\..*exchange\.otherCodes$/);
    expect(unknownCode('constructor', ['fb'], [])).toMatch(/known are fb\./);
  });
});
