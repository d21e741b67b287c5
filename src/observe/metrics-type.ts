/** The media type of Prometheus's text format. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';
