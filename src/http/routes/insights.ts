// Cites 4.connect.insights.*.
import { usableAccount } from '../../domain/accounts.ts';
import { describeInsights } from '../../domain/insights.ts';
import { ok } from '../../domain/outcome.ts';
import { checkSupport } from '../../domain/providers.ts';
import type { Handler } from '../call.ts';

export const getInsights: Handler<'getInsights'> = ({ accountId, range }, { organization, nowMs }) => {
  const account = usableAccount(organization.accounts, accountId);
  if (!account.ok) return account;
  const support = checkSupport(account.value.provider, 'insights');
  if (!support.ok) return support;
  const data = describeInsights(account.value, range, nowMs);
  return ok({ data, summary: `Insights of ${account.value.label}, ${data.range.startDate} to ${data.range.endDate}.` });
};
