"""Hands what people type to the speech-to-speech service, which doesn't answer it in the context."""

from pipecat.frames.frames import Frame, LLMMessagesAppendFrame
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor


class TypedText(FrameProcessor):
    """Takes typed messages on their way to the context. The framework interrupts the bot before each."""

    def __init__(self, llm: FrameProcessor):
        """Hand the messages to this service."""
        super().__init__()
        self._llm = llm

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Pass on everything, and typed messages to the service, too."""
        await super().process_frame(frame, direction)
        match frame:
            case LLMMessagesAppendFrame(
                messages=[{"role": "user", "content": str()}], run_llm=True
            ):
                # The context gets it after the service, which would otherwise never see it.
                await self._llm.queue_frame(frame, direction)
                return
        await self.push_frame(frame, direction)
