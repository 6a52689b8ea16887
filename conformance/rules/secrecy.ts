// A key that comes back in an answer ends in the logs and on the screens of its readers. Every spelling that the
// redaction knows counts.
import { isAnswered, isPlatformTrouble } from '../exchange/exchange.ts';
import type { Rule } from '../judge/rule.ts';

export const secrecy: Rule = {
  id: 'rule/key-secrecy',
  title: 'No answer repeats the API key',
  cites: ['5.bearer-header'],
  // The contract does not forbid it in words; good sense does.
  level: 'should',
  isForMcp: true,
  judge(exchange, ledger, context) {
    if (!isAnswered(exchange)) return;
    const places = { '#body': exchange.bodyText, '#headers': Object.values(exchange.headers).join('\n') };
    for (const [pointer, text] of Object.entries(places)) {
      const found = context.findSecrets(text);
      const claim = { pointer, expected: 'no API key', actual: found.join(', ') || 'none', exchange };
      if (isPlatformTrouble(exchange) && found.length === 0) continue;
      ledger.holds(found.length === 0, { ...claim, clause: '5.bearer-header' });
    }
  },
};
