// Metrics belong to the domain, because a newly connected account has some too.
export { metricsOf } from '../domain/metrics.ts';
