/** The part of Swagger UI that the page uses. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  export interface SwaggerRequest {
    url: string;
    method?: string;
    headers: Record<string, string>;
  }

  export interface SwaggerSystem {
    readonly specActions: { updateSpec(text: string): void };
    readonly authActions: { logout(names: readonly string[]): void };
  }

  type Action = (payload: unknown) => unknown;
  export type Wrap = (original: Action, system: SwaggerSystem) => Action;

  export interface SwaggerOptions {
    readonly spec: object;
    readonly domNode: Element;
    readonly presets: readonly unknown[];
    readonly plugins: readonly unknown[];
    readonly layout: 'BaseLayout';
    readonly validatorUrl: null;
    readonly deepLinking: boolean;
    readonly filter: boolean;
    readonly docExpansion: 'list' | 'none';
    readonly defaultModelsExpandDepth: number;
    readonly displayRequestDuration: boolean;
    readonly requestInterceptor: (request: SwaggerRequest) => SwaggerRequest;
  }

  const swaggerUi: ((options: SwaggerOptions) => SwaggerSystem) & { readonly presets: { readonly apis: unknown } };
  export default swaggerUi;
}
