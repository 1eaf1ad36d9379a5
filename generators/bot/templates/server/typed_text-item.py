"""Hands what people type to the speech-to-speech service, which doesn't answer it in the context."""

from pipecat.frames.frames import Frame, InterruptionFrame, LLMMessagesAppendFrame
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.services.openai.realtime.events import (
    ConversationItem,
    ConversationItemCreateEvent,
    ItemContent,
    ResponseCancelEvent,
)
from pipecat.services.openai.realtime.llm import OpenAIRealtimeLLMService


class TypedText(FrameProcessor):
    """Takes typed messages on their way to the context. The framework interrupts the bot before each."""

    def __init__(self, llm: OpenAIRealtimeLLMService):
        """Hand the messages to this service."""
        super().__init__()
        self._llm = llm

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Pass on everything, and typed messages to the service, too."""
        await super().process_frame(frame, direction)
        match frame:
            case InterruptionFrame() if direction is FrameDirection.DOWNSTREAM:
                # The service stops its reply by itself if people speak, but not if they type.
                await self._llm.send_client_event(ResponseCancelEvent())
            case LLMMessagesAppendFrame(
                messages=[{"role": "user", "content": str(text)}], run_llm=True
            ):
                await self._send(text)
        await self.push_frame(frame, direction)

    async def _send(self, text: str) -> None:
        content = [ItemContent(type="input_text", text=text)]
        item = ConversationItem(type="message", role="user", content=content)
        await self._llm.send_client_event(ConversationItemCreateEvent(item=item))
        # With nothing to append, this only asks for a reply, once the stopped one has ended.
        await self._llm.queue_frame(LLMMessagesAppendFrame(messages=[], run_llm=True))
