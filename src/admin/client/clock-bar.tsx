// The clock of the mock, and its controls.
import { Act, Choice, spanOf } from './parts.tsx';
import { useApp, useAppState, useNow } from './use-app.ts';

const steps = ['1s', '1m', '5m', '1h', '1d'];
const scales = ['1', '10', '60', '3600'];

export function ClockBar() {
  const app = useApp();
  const { clock } = useAppState();
  const now = useNow();
  const shown = new Date(now).toISOString();
  const scale = String(clock.scale);
  // The reply took a moment: without rounding, six minutes ahead would read as five.
  const aheadMs = Math.round((now - Date.now()) / 1000) * 1000;
  const pace = clock.frozen ? 'frozen' : clock.scale === 1 ? 'running' : `running ${clock.scale}×`;
  return (
    <section class="clock" aria-label="Clock of the mock">
      <div class="now mono">
        <span id="now">
          <span class="day">{shown.slice(0, 10)}</span> {shown.slice(11, 19)}
        </span>{' '}
        <span class="soft">UTC</span>{' '}
        <span class={`chip ${clock.frozen ? '' : 'good'}`} id="pace">
          {pace}
        </span>{' '}
        {Math.abs(aheadMs) > 2000 && (
          <span class="chip" title="The clock of the mock, compared with real time">
            {spanOf(Math.abs(aheadMs))} {aheadMs > 0 ? 'ahead' : 'behind'}
          </span>
        )}
      </div>
      <div class="row">
        {steps.map((step) => (
          <Act
            key={step}
            label={`+${step}: advance the clock`}
            does={() => app.ask('POST', '/clock/advance', { duration: step })}
          >
            +{step}
          </Act>
        ))}
        <Act id="freeze" does={() => app.ask('POST', clock.frozen ? '/clock/resume' : '/clock/freeze')}>
          {clock.frozen ? 'Resume' : 'Freeze'}
        </Act>
        <Choice
          bare
          label="Speed of the clock"
          value={scales.includes(scale) ? scale : ''}
          options={[['', 'Speed'], ...scales.map((name) => [name, `${name}×`] as const)]}
          choose={(chosen) => (chosen === '' ? null : app.ask('POST', '/clock/scale', { scale: Number(chosen) }))}
        />
      </div>
    </section>
  );
}
