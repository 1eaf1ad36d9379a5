/** Services of the framework that aren't offered, by the reason. The tests know the rest of the release from them. */
export const leftOut: Readonly<Record<string, readonly string[]>> = {
  'The same voices over HTTP, sentence by sentence: slower to the first sound than the WebSocket, and no cheaper': [
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
  'The same models over HTTP: every turn sends the whole conversation, which the WebSocket keeps': [
    'OpenAIResponsesHttpLLMService',
  ],
};
