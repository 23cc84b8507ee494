# The app in a container:
#   docker build -t probtrees . && docker run --rm -p 8501:8501 probtrees
FROM python:3.12-slim

# The app compiles its calculations on the first start and keeps them in the user's cache folder.
RUN useradd --create-home person
COPY . /tmp/probtrees
RUN pip install --no-cache-dir /tmp/probtrees && rm -rf /tmp/probtrees

USER person
WORKDIR /home/person
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD \
    ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8501/_stcore/health').close()"]
CMD ["probtrees", "app", "--headless", "--address", "0.0.0.0", "--port", "8501"]
