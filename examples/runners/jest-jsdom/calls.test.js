import { act, render, screen } from '@testing-library/react';
import { casaTest } from 'casa-kit/jest';
import { Calls } from './calls';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

casaTest.with({ world: 'empty' })('shows a call five minutes after its end', async ({ casa }) => {
  casa.clock.drive(jest);
  render(<Calls baseUrl={casa.baseUrl} apiKey={casa.keys.good} />);
  await act(() => casa.clock.advance('1s'));

  casa.calls.ring({ durationS: 30 });
  await act(() => casa.clock.advance('5m'));
  expect(screen.getByRole('status').textContent).toBe('0 calls');
  await act(() => casa.clock.advance('2m'));
  expect(screen.getByRole('status').textContent).toBe('1 calls');

  expect(casa).toHaveRequested('listCalls', { times: 8 });
  expect(casa).toHaveNoViolations();
});
