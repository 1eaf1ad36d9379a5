/** Services of the framework that botcli doesn't offer, by reason. The tests require every other service in the catalog. */
export const leftOut: Readonly<Record<string, readonly string[]>> = {
  'The same voices over HTTP, sentence by sentence: slower to start than the WebSocket, and no cheaper': [
    'AsyncAIHttpTTSService',
    'AzureHttpTTSService',
    'BlandHttpTTSService',
    'CartesiaHttpTTSService',
    'DeepgramHttpTTSService',
    'ElevenLabsHttpTTSService',
    'InworldHttpTTSService',
    'NeuphonicHttpTTSService',
    'RimeHttpTTSService',
    'SarvamHttpTTSService',
    'XAIHttpTTSService',
  ],
  'The same models over HTTP: every turn resends the whole conversation, while the WebSocket keeps it': [
    'OpenAIResponsesHttpLLMService',
  ],
};
